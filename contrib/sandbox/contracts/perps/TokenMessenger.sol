// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../aggregators/Money.sol";

/// Stands in for Circle's TokenMessengerV2 towards a perpetuals venue: it keeps what would be burnt, and pays out of that what
/// would be minted.
contract TokenMessenger {
    address internal dollar;
    address internal minter;

    event DepositForBurn(
        address indexed burnToken,
        uint256 amount,
        address indexed depositor,
        bytes32 mintRecipient,
        uint32 destinationDomain,
        bytes32 destinationTokenMessenger,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 indexed minFinalityThreshold,
        bytes hookData
    );

    constructor(address dollar_, address minter_) {
        dollar = dollar_;
        minter = minter_;
    }

    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external {
        require(hookData.length > 0, "Hook data is empty");
        require(amount > 0, "Amount must be nonzero");
        require(mintRecipient != bytes32(0), "Mint recipient must be nonzero");
        require(maxFee < amount, "Max fee must be less than amount");
        require(burnToken == dollar, "Burn token not supported");
        Money.pull(burnToken, msg.sender, address(this), amount);
        emit DepositForBurn(
            burnToken,
            amount,
            msg.sender,
            mintRecipient,
            destinationDomain,
            bytes32(uint256(uint160(address(this)))),
            destinationCaller,
            maxFee,
            minFinalityThreshold,
            hookData
        );
    }

    function pay(address token, address to, uint256 amount) external {
        require(msg.sender == minter, "Unauthorized");
        Money.pay(token, to, amount);
    }
}
