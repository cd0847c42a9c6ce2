// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

/// Stands in for Across' SpokePool: it keeps what is deposited, coins as the token that wraps them, and tells the relayers
/// what they are to pay. A deposit that none of them paid is given back after the deadline, by the caller that settles.
contract Across {
    uint256 internal constant QUOTES_S = 3600; // how old a quote may be
    uint256 internal constant FILLS_S = 21600; // how late a deadline may be
    uint256 internal constant EXCLUSIVE_S = 31536000; // more than that is a time, not a period

    bytes4 internal constant DEPOSIT_V3 = bytes4(
        keccak256(
            "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)"
        )
    );

    address internal settler;
    address internal wrapped;
    uint256 internal deposits;

    error DisabledRoute();
    error InvalidExclusiveRelayer();
    error InvalidFillDeadline();
    error InvalidOutputToken();
    error InvalidQuoteTimestamp();
    error MsgValueDoesNotMatchInputAmount();
    error NoMessagesHere();

    bytes32 internal constant FUNDS_DEPOSITED = keccak256(
        "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
    );

    struct Deposit {
        address depositor;
        address recipient;
        address inputToken;
        address outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 destinationChainId;
        address exclusiveRelayer;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityParameter;
    }

    /// What the event tells beside its topics; at its end where the message stands.
    struct Told {
        bytes32 inputToken;
        bytes32 outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 quoteTimestamp;
        uint256 fillDeadline;
        uint256 exclusivityDeadline;
        bytes32 recipient;
        bytes32 exclusiveRelayer;
        uint256 message;
    }

    constructor(address settler_, address wrapped_) {
        settler = settler_;
        wrapped = wrapped_;
    }

    /// depositV3, which has too many arguments for the compiler's stack: they are read as a struct, and the message, which
    /// is the last of them, has to be empty.
    fallback() external payable {
        require(msg.sig == DEPOSIT_V3, "no such function");
        if (abi.decode(msg.data[388:], (uint256)) != 0) revert NoMessagesHere();
        deposit(abi.decode(msg.data[4:], (Deposit)));
    }

    function pay(address token, address to, uint256 amount) external {
        require(msg.sender == settler, "Unauthorized");
        Money.pay(token, to, amount);
    }

    function deposit(Deposit memory d) private {
        if (d.destinationChainId == block.chainid) revert DisabledRoute();
        if (d.outputToken == address(0)) revert InvalidOutputToken();
        if (d.quoteTimestamp > block.timestamp || block.timestamp - d.quoteTimestamp > QUOTES_S) {
            revert InvalidQuoteTimestamp();
        }
        if (d.fillDeadline < block.timestamp || d.fillDeadline > block.timestamp + FILLS_S) revert InvalidFillDeadline();
        uint256 exclusive = d.exclusivityParameter;
        if (exclusive > 0 && exclusive <= EXCLUSIVE_S) exclusive += block.timestamp;
        if (exclusive > 0 && d.exclusiveRelayer == address(0)) revert InvalidExclusiveRelayer();
        take(d.inputToken, d.inputAmount);
        tell(d, exclusive);
    }

    function tell(Deposit memory d, uint256 exclusive) private {
        Told memory told;
        told.inputToken = word(d.inputToken);
        told.outputToken = word(d.outputToken);
        told.inputAmount = d.inputAmount;
        told.outputAmount = d.outputAmount;
        told.quoteTimestamp = d.quoteTimestamp;
        told.fillDeadline = d.fillDeadline;
        told.exclusivityDeadline = exclusive;
        told.recipient = word(d.recipient);
        told.exclusiveRelayer = word(d.exclusiveRelayer);
        told.message = 320;
        bytes memory data = bytes.concat(abi.encode(told), bytes32(0));
        (bytes32 topic, uint256 far, uint256 id, bytes32 depositor) =
            (FUNDS_DEPOSITED, d.destinationChainId, deposits++, word(d.depositor));
        assembly {
            log4(add(data, 32), mload(data), topic, far, id, depositor)
        }
    }

    function take(address token, uint256 amount) private {
        if (msg.value == 0) return Money.pull(token, msg.sender, address(this), amount);
        if (token != wrapped || msg.value != amount) revert MsgValueDoesNotMatchInputAmount();
        Money.run(wrapped, amount, abi.encodeWithSignature("deposit()"));
    }

    function word(address a) private pure returns (bytes32) {
        return bytes32(uint256(uint160(a)));
    }
}
