// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./PoolExecutor.sol";

/// Stands in for OpenOcean's exchange proxy. It measures what the receiver gained.
contract OpenOcean {
    struct Description {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 guaranteedAmount;
        uint256 flags;
        address referrer;
        bytes permit;
    }

    uint256 internal constant PARTIAL_FILL = 1;
    uint256 internal constant SHOULD_CLAIM = 2;

    event Swapped(
        address indexed sender,
        address indexed srcToken,
        address indexed dstToken,
        address dstReceiver,
        uint256 amount,
        uint256 spentAmount,
        uint256 returnAmount,
        uint256 minReturnAmount,
        uint256 guaranteedAmount,
        address referrer
    );

    receive() external payable {}

    function swap(address caller, Description calldata desc, PoolExecutor.CallDescription[] calldata calls)
        external
        payable
        returns (uint256 returnAmount)
    {
        require(desc.minReturnAmount > 0, "Min return should not be 0");
        require(calls.length > 0, "Call data should exist");
        bool isCoin = Money.isCoin(desc.srcToken);
        require(msg.value == (isCoin ? desc.amount : 0), "Invalid msg.value");
        require((desc.flags & SHOULD_CLAIM > 0) != isCoin, "Invalid flags");
        uint256 heldBefore = Money.balance(desc.srcToken, msg.sender);
        if (!isCoin) Money.pull(desc.srcToken, msg.sender, desc.srcReceiver, desc.amount);
        address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 before = Money.balance(desc.dstToken, receiver);
        PoolExecutor(payable(caller)).makeCalls{value: msg.value}(calls);
        returnAmount = Money.balance(desc.dstToken, receiver) - before;
        uint256 spent = isCoin ? desc.amount : heldBefore - Money.balance(desc.srcToken, msg.sender);
        if (desc.flags & PARTIAL_FILL > 0) {
            require(returnAmount * desc.amount >= desc.minReturnAmount * spent, "Return amount is not enough");
        } else {
            require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        }
        report(desc, receiver, spent, returnAmount);
    }

    function report(Description calldata desc, address receiver, uint256 spent, uint256 returned) private {
        emit Swapped(
            msg.sender, desc.srcToken, desc.dstToken, receiver, desc.amount, spent, returned,
            desc.minReturnAmount, desc.guaranteedAmount, desc.referrer
        );
    }
}
