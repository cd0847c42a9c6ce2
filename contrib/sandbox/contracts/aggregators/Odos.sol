// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./PoolExecutor.sol";

/// Stands in for Odos' router v3. An input of zero is the whole balance; the referral's fee leaves before the minimum is
/// checked; what comes beyond the quote stays here.
contract Odos {
    struct TokenInfo {
        address inputToken;
        uint256 inputAmount;
        address inputReceiver;
        address outputToken;
        uint256 outputQuote;
        uint256 outputMin;
        address outputReceiver;
    }

    struct ReferralInfo {
        uint64 code;
        uint64 fee;
        address feeRecipient;
    }

    uint256 internal constant FEE_WHOLE = 1e18;
    uint256 internal constant FEE_MAX = FEE_WHOLE / 50;
    uint64 internal constant SURPLUS_PAID = 1 << 48;

    event Swap(
        address sender,
        uint256 inputAmount,
        address inputToken,
        uint256 amountOut,
        address outputToken,
        int256 slippage,
        uint64 referralCode,
        uint64 referralFee,
        address referralFeeRecipient
    );

    receive() external payable {}

    function swap(
        TokenInfo calldata tokens,
        bytes calldata pathDefinition,
        address executor,
        ReferralInfo calldata referral
    ) external payable returns (uint256 amountOut) {
        require(tokens.outputMin <= tokens.outputQuote, "Minimum greater than quote");
        require(tokens.outputMin > 0, "Slippage limit too low");
        require(tokens.inputToken != tokens.outputToken, "Arbitrage not supported");
        require(referral.fee <= FEE_MAX, "Fee too high");
        uint256 amountIn = collect(tokens);
        uint256 before = Money.balance(tokens.outputToken, address(this));
        PoolExecutor(payable(executor)).trade{value: msg.value}(pathDefinition);
        amountOut = Money.balance(tokens.outputToken, address(this)) - before;
        uint256 fee = (amountOut * referral.fee) / FEE_WHOLE;
        Money.pay(tokens.outputToken, referral.feeRecipient, (fee * 8) / 10);
        amountOut -= fee;
        int256 slippage = int256(amountOut) - int256(tokens.outputQuote);
        if (slippage > 0 && referral.code & SURPLUS_PAID == 0) amountOut = tokens.outputQuote;
        require(amountOut >= tokens.outputMin, "Slippage Limit Exceeded");
        Money.pay(tokens.outputToken, tokens.outputReceiver == address(0) ? msg.sender : tokens.outputReceiver, amountOut);
        emit Swap(
            msg.sender, amountIn, tokens.inputToken, amountOut, tokens.outputToken, slippage,
            referral.code, referral.fee, referral.feeRecipient
        );
    }

    function collect(TokenInfo calldata tokens) private returns (uint256 amount) {
        amount = tokens.inputAmount;
        if (tokens.inputToken == address(0)) {
            require(msg.value == amount || amount == 0, "Wrong msg.value");
            return msg.value;
        }
        require(msg.value == 0, "Wrong msg.value");
        if (amount == 0) amount = IERC20(tokens.inputToken).balanceOf(msg.sender);
        Money.pull(tokens.inputToken, msg.sender, tokens.inputReceiver, amount);
    }
}
