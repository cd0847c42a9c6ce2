// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./PoolExecutor.sol";

/// Stands in for 1inch's AggregationRouterV6. The executor pays the router, which keeps one smallest unit and sends the
/// rest on.
contract OneInch {
    struct Description {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
    }

    uint256 internal constant PARTIAL_FILL = 1;
    uint256 internal constant EXTRA_COINS = 2;
    uint256 internal constant PERMIT2 = 4;

    error ZeroMinReturn();
    error InvalidMsgValue();
    error ReturnAmountIsNotEnough(uint256 result, uint256 minReturn);
    error Permit2IsMissing();

    receive() external payable {}

    function swap(address executor, Description calldata desc, bytes calldata data)
        external
        payable
        returns (uint256 returnAmount, uint256 spentAmount)
    {
        if (desc.minReturnAmount == 0) revert ZeroMinReturn();
        if (desc.flags & PERMIT2 > 0) revert Permit2IsMissing();
        bool isCoin = Money.isCoin(desc.srcToken);
        if (desc.flags & EXTRA_COINS > 0 ? msg.value <= (isCoin ? desc.amount : 0) : msg.value != (isCoin ? desc.amount : 0)) {
            revert InvalidMsgValue();
        }
        if (!isCoin) Money.pull(desc.srcToken, msg.sender, desc.srcReceiver, desc.amount);
        PoolExecutor(payable(executor)).trade{value: msg.value}(data);
        returnAmount = Money.balance(desc.dstToken, address(this));
        if (returnAmount > 0) returnAmount--;
        spentAmount = desc.amount;
        if (desc.flags & PARTIAL_FILL > 0) {
            uint256 unspent = Money.balance(desc.srcToken, address(this));
            if (unspent > 1) {
                spentAmount -= unspent - 1;
                Money.pay(desc.srcToken, msg.sender, unspent - 1);
            }
            if (returnAmount * desc.amount < desc.minReturnAmount * spentAmount) {
                revert ReturnAmountIsNotEnough(returnAmount, (desc.minReturnAmount * spentAmount) / desc.amount);
            }
        } else if (returnAmount < desc.minReturnAmount) {
            revert ReturnAmountIsNotEnough(returnAmount, desc.minReturnAmount);
        }
        Money.pay(desc.dstToken, desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver, returnAmount);
    }
}
