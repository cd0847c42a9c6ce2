// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./PoolExecutor.sol";

/// Stands in for KyberSwap's MetaAggregationRouterV2. It sends the input to whom the order names, lets the executor
/// trade, and measures what the receiver gained, after fees.
contract KyberSwap {
    struct Description {
        address srcToken;
        address dstToken;
        address[] srcReceivers;
        uint256[] srcAmounts;
        address[] feeReceivers;
        uint256[] feeAmounts;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
        bytes permit;
    }

    struct Execution {
        address callTarget;
        address approveTarget;
        bytes targetData;
        Description desc;
        bytes clientData;
    }

    uint256 internal constant PARTIAL_FILL = 0x01;
    uint256 internal constant EXTRA_COINS = 0x02;
    uint256 internal constant FEE_ON_OUTPUT = 0x40;
    uint256 internal constant FEE_IN_BPS = 0x80;

    event Swapped(
        address sender,
        address srcToken,
        address dstToken,
        address dstReceiver,
        uint256 spentAmount,
        uint256 returnAmount
    );
    event ClientData(bytes clientData);

    receive() external payable {}

    function swap(Execution calldata execution) external payable returns (uint256 returnAmount, uint256 gasUsed) {
        return carryOut(execution.callTarget, execution.desc, execution.targetData, execution.clientData);
    }

    function swapSimpleMode(
        address caller,
        Description calldata desc,
        bytes calldata executorData,
        bytes calldata clientData
    ) external payable returns (uint256 returnAmount, uint256 gasUsed) {
        return carryOut(caller, desc, executorData, clientData);
    }

    function carryOut(address executor, Description calldata desc, bytes calldata data, bytes calldata clientData)
        private
        returns (uint256 returnAmount, uint256 gasUsed)
    {
        uint256 gasBefore = gasleft();
        require(desc.minReturnAmount > 0, "Invalid min return amount");
        if (desc.flags & EXTRA_COINS == 0) {
            require(msg.value == (Money.isCoin(desc.srcToken) ? desc.amount : 0), "Invalid msg.value");
        }
        address receiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 heldBefore = Money.balance(desc.srcToken, msg.sender);
        uint256 coins = collect(desc);
        returnAmount = execute(executor, desc, data, coins, receiver);
        uint256 spent = Money.isCoin(desc.srcToken) ? desc.amount : heldBefore - Money.balance(desc.srcToken, msg.sender);
        if (desc.flags & PARTIAL_FILL > 0) {
            require(returnAmount * desc.amount >= desc.minReturnAmount * spent, "Return amount is not enough");
        } else {
            require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        }
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, receiver, spent, returnAmount);
        emit ClientData(clientData);
        gasUsed = gasBefore - gasleft();
    }

    /// Hands out the input: fees on it, then what is traded. Returns the coins that are left for the executor.
    function collect(Description calldata desc) private returns (uint256 coins) {
        coins = msg.value;
        bool isCoin = Money.isCoin(desc.srcToken);
        if (desc.flags & FEE_ON_OUTPUT == 0) {
            for (uint256 i = 0; i < desc.feeReceivers.length; i++) {
                uint256 fee = feeOf(desc, i, desc.amount);
                if (isCoin) Money.pay(desc.srcToken, desc.feeReceivers[i], fee);
                else Money.pull(desc.srcToken, msg.sender, desc.feeReceivers[i], fee);
                if (isCoin) coins -= fee;
            }
        }
        if (isCoin) return coins;
        for (uint256 i = 0; i < desc.srcReceivers.length; i++) {
            Money.pull(desc.srcToken, msg.sender, desc.srcReceivers[i], desc.srcAmounts[i]);
        }
    }

    function execute(
        address executor,
        Description calldata desc,
        bytes calldata data,
        uint256 coins,
        address receiver
    ) private returns (uint256) {
        uint256 before = Money.balance(desc.dstToken, receiver);
        if (desc.flags & FEE_ON_OUTPUT > 0) {
            uint256 own = Money.balance(desc.dstToken, address(this)) - (Money.isCoin(desc.dstToken) ? coins : 0);
            PoolExecutor(payable(executor)).trade{value: coins}(data);
            uint256 got = Money.balance(desc.dstToken, address(this)) - own;
            uint256 fees = 0;
            for (uint256 i = 0; i < desc.feeReceivers.length; i++) {
                uint256 fee = feeOf(desc, i, got);
                fees += fee;
                Money.pay(desc.dstToken, desc.feeReceivers[i], fee);
            }
            Money.pay(desc.dstToken, receiver, got - fees);
        } else {
            PoolExecutor(payable(executor)).trade{value: coins}(data);
        }
        return Money.balance(desc.dstToken, receiver) - before;
    }

    function feeOf(Description calldata desc, uint256 i, uint256 amount) private pure returns (uint256) {
        return desc.flags & FEE_IN_BPS > 0 ? (amount * desc.feeAmounts[i]) / 10000 : desc.feeAmounts[i];
    }
}
