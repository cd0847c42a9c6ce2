// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./PoolExecutor.sol";

/// Stands in for Velora's AugustusV6.2. The executor pays this contract, which compares what came with the minimum and
/// only then takes out the partner's share.
contract Velora {
    struct Swap {
        address srcToken;
        address destToken;
        uint256 fromAmount;
        uint256 toAmount;
        uint256 quotedAmount;
        bytes32 metadata;
        address payable beneficiary;
    }

    uint256 internal constant FEE_MASK = 0x3fff;
    uint256 internal constant FEE_MAX = 200;
    uint256 internal constant SURPLUS_CAPPED = 1 << 92;
    uint256 internal constant REFERRAL = 1 << 94;
    uint256 internal constant SURPLUS_TAKEN = 1 << 95;

    error InsufficientReturnAmount();
    error InvalidToAmount();
    error IncorrectEthAmount();

    receive() external payable {}

    function swapExactAmountIn(
        address executor,
        Swap calldata swapData,
        uint256 partnerAndFee,
        bytes calldata,
        bytes calldata executorData
    ) external payable returns (uint256 receivedAmount, uint256 paraswapShare, uint256 partnerShare) {
        if (swapData.toAmount == 0) revert InvalidToAmount();
        bool isCoin = Money.isCoin(swapData.srcToken);
        if (msg.value != (isCoin ? swapData.fromAmount : 0)) revert IncorrectEthAmount();
        if (!isCoin) Money.pull(swapData.srcToken, msg.sender, executor, swapData.fromAmount);
        PoolExecutor(payable(executor)).trade{value: msg.value}(executorData);
        receivedAmount = Money.balance(swapData.destToken, address(this));
        if (receivedAmount > 0) receivedAmount--;
        if (receivedAmount < swapData.toAmount) revert InsufficientReturnAmount();
        partnerShare = shareOf(receivedAmount, swapData.quotedAmount, partnerAndFee);
        receivedAmount -= partnerShare;
        Money.pay(swapData.destToken, address(uint160(partnerAndFee >> 96)), partnerShare);
        address to = swapData.beneficiary == address(0) ? msg.sender : swapData.beneficiary;
        Money.pay(swapData.destToken, to, receivedAmount);
        return (receivedAmount, paraswapShare, partnerShare);
    }

    /// A share of all, or half of what came beyond the quoted amount.
    function shareOf(uint256 received, uint256 quoted, uint256 partnerAndFee) private pure returns (uint256) {
        if (partnerAndFee >> 96 == 0) return 0;
        uint256 fee = partnerAndFee & FEE_MASK;
        if (fee > 0) return (received * (fee > FEE_MAX ? FEE_MAX : fee)) / 10000;
        if (partnerAndFee & (REFERRAL | SURPLUS_TAKEN) == 0 || received <= quoted) return 0;
        uint256 surplus = received - quoted;
        if (partnerAndFee & SURPLUS_CAPPED > 0 && surplus > quoted / 100) surplus = quoted / 100;
        return surplus / 2;
    }
}
