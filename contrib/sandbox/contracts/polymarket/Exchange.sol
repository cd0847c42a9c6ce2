// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../Token.sol";
import "./Orders.sol";

/// Settles matches of signed orders that its operator found. Collateral and shares go through this contract within one
/// transaction; nothing stays.
///
/// A taker's order is filled by makers' orders of three kinds: with the other side on the same outcome they trade; two
/// buyers of the two outcomes share the cost of new shares; two sellers share what merged shares give. Each maker gets
/// what its order says, rounded down; what is better than the taker's price is the taker's.
abstract contract Exchange is Orders {
    error NotOperator();
    error MismatchedArrayLengths();
    error NoMakerOrders();
    error MismatchedTokenIds();
    error NotCrossing();
    error TooLittleTokensReceived();
    error FeeTooHigh();

    /// The exchange is `taker` where a maker's counterpart are several orders.
    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        address indexed taker,
        Side side,
        uint256 tokenId,
        uint256 makerAmountFilled,
        uint256 takerAmountFilled,
        uint256 fee,
        bytes32 builder,
        bytes32 metadata
    );
    event OrdersMatched(
        bytes32 indexed takerOrderHash,
        address indexed takerOrderMaker,
        Side side,
        uint256 tokenId,
        uint256 makerAmountFilled,
        uint256 takerAmountFilled
    );
    event FeeCharged(address indexed receiver, uint256 amount);

    /// Of the collateral that changes hands.
    uint256 public constant MAX_FEE_BPS = 1000;

    Token public immutable collateral;
    address public immutable operator;

    /// One side of a fill: what an order gives and gets, and the fee in collateral.
    struct Fill {
        bytes32 orderHash;
        uint256 making;
        uint256 taking;
        uint256 fee;
    }

    /// What a match adds up to, while it is settled.
    struct Totals {
        /// Of what the taker gives: used for makers.
        uint256 spent;
        /// Of what the taker gets.
        uint256 received;
        /// Pairs of shares to be made of collateral, or to be merged into it.
        uint256 pairs;
    }

    constructor(string memory version, Token collateral_, address operator_) Orders(version) {
        collateral = collateral_;
        operator = operator_;
    }

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator();
        _;
    }

    function isOperator(address account) external view returns (bool) {
        return account == operator;
    }

    /// Fill amounts are in what the order gives, fees in collateral. A buyer pays the fee on top, a seller out of the
    /// proceeds.
    function matchOrders(
        bytes32 conditionId,
        Order calldata takerOrder,
        Order[] calldata makerOrders,
        uint256 takerFillAmount,
        uint256[] calldata makerFillAmounts,
        uint256 takerFeeAmount,
        uint256[] calldata makerFeeAmounts
    ) external onlyOperator {
        if (makerOrders.length == 0) revert NoMakerOrders();
        if (makerOrders.length != makerFillAmounts.length || makerOrders.length != makerFeeAmounts.length) {
            revert MismatchedArrayLengths();
        }
        Fill memory taker = begin(takerOrder, takerFillAmount, takerFeeAmount);
        collect(takerOrder, taker);

        Totals memory totals;
        Fill[] memory fills = new Fill[](makerOrders.length);
        for (uint256 i = 0; i < makerOrders.length; i++) {
            fills[i] = begin(makerOrders[i], makerFillAmounts[i], makerFeeAmounts[i]);
            add(totals, conditionId, takerOrder, makerOrders[i], fills[i]);
            collect(makerOrders[i], fills[i]);
        }
        if (totals.spent > taker.making || totals.received < taker.taking) revert TooLittleTokensReceived();
        if (totals.pairs > 0) {
            if (takerOrder.side == Side.BUY) split(conditionId, totals.pairs);
            else merge(conditionId, totals.pairs);
        }
        for (uint256 i = 0; i < makerOrders.length; i++) {
            pay(makerOrders[i], fills[i]);
            emitFilled(makerOrders[i], fills[i], takerOrder.maker);
        }
        finish(takerOrder, taker, totals);
    }

    // ---------------------------------------------------------------- steps of a match

    /// Takes `making` of what is left of the order.
    function begin(Order calldata order, uint256 making, uint256 fee) private returns (Fill memory fill) {
        fill.orderHash = takeFrom(order, making);
        fill.making = making;
        fill.taking = making * order.takerAmount / order.makerAmount;
        fill.fee = fee;
    }

    /// Adds a maker's fill, if the two orders go together.
    function add(
        Totals memory totals,
        bytes32 conditionId,
        Order calldata taker,
        Order calldata maker,
        Fill memory fill
    ) private view {
        (uint256 first, uint256 second) = outcomeTokens(conditionId);
        if (taker.tokenId != first && taker.tokenId != second) revert MismatchedTokenIds();
        if (maker.tokenId != first && maker.tokenId != second) revert MismatchedTokenIds();
        bool isSameSide = maker.side == taker.side;
        if (isSameSide == (maker.tokenId == taker.tokenId)) revert MismatchedTokenIds();
        if (!isCrossing(taker, maker)) revert NotCrossing();
        if (!isSameSide) {
            totals.spent += fill.taking;
            totals.received += fill.making;
        } else if (taker.side == Side.BUY) {
            // The maker gets `taking` shares for `making`; the taker pays what they cost beyond that.
            totals.spent += fill.taking - fill.making;
            totals.received += fill.taking;
            totals.pairs += fill.taking;
        } else {
            totals.spent += fill.making;
            totals.received += fill.making - fill.taking;
            totals.pairs += fill.making;
        }
    }

    /// Whether the prices meet: a buyer's is at least a seller's; two buyers' are one dollar or more in sum, two
    /// sellers' one dollar or less.
    function isCrossing(Order calldata a, Order calldata b) private pure returns (bool) {
        if (a.side != b.side) return a.makerAmount * b.makerAmount >= a.takerAmount * b.takerAmount;
        uint256 crosswise = a.makerAmount * b.takerAmount + b.makerAmount * a.takerAmount;
        if (a.side == Side.BUY) return crosswise >= a.takerAmount * b.takerAmount;
        crosswise = a.takerAmount * b.makerAmount + b.takerAmount * a.makerAmount;
        return crosswise <= a.makerAmount * b.makerAmount;
    }

    /// Takes what the order gives, and a buyer's fee.
    function collect(Order calldata order, Fill memory fill) private {
        if (order.side == Side.SELL) {
            moveShares(order.maker, address(this), order.tokenId, fill.making);
            return;
        }
        if (fill.fee > fill.making * MAX_FEE_BPS / 10_000) revert FeeTooHigh();
        collateral.transferFrom(order.maker, address(this), fill.making);
        if (fill.fee == 0) return;
        collateral.transferFrom(order.maker, operator, fill.fee);
        emit FeeCharged(operator, fill.fee);
    }

    /// Hands over what the order gets, less a seller's fee.
    function pay(Order calldata order, Fill memory fill) private {
        if (order.side == Side.BUY) {
            moveShares(address(this), order.maker, order.tokenId, fill.taking);
            return;
        }
        if (fill.fee > fill.taking * MAX_FEE_BPS / 10_000) revert FeeTooHigh();
        collateral.transfer(order.maker, fill.taking - fill.fee);
        if (fill.fee == 0) return;
        collateral.transfer(operator, fill.fee);
        emit FeeCharged(operator, fill.fee);
    }

    /// The taker gets all that came, and back what was not needed.
    function finish(Order calldata order, Fill memory fill, Totals memory totals) private {
        uint256 unused = fill.making - totals.spent;
        fill.making = totals.spent;
        fill.taking = totals.received;
        pay(order, fill);
        if (unused > 0 && order.side == Side.BUY) collateral.transfer(order.maker, unused);
        if (unused > 0 && order.side == Side.SELL) moveShares(address(this), order.maker, order.tokenId, unused);
        emitFilled(order, fill, address(this));
        emit OrdersMatched(fill.orderHash, order.maker, order.side, order.tokenId, fill.making, fill.taking);
    }

    function emitFilled(Order calldata order, Fill memory fill, address taker) private {
        emit OrderFilled(
            fill.orderHash,
            order.maker,
            taker,
            order.side,
            order.tokenId,
            fill.making,
            fill.taking,
            fill.fee,
            order.builder,
            order.metadata
        );
    }

    // ---------------------------------------------------------------- what outcome tokens are

    function outcomeTokens(bytes32 conditionId) public view virtual returns (uint256 first, uint256 second);

    function split(bytes32 conditionId, uint256 amount) internal virtual;

    function merge(bytes32 conditionId, uint256 amount) internal virtual;

    function moveShares(address from, address to, uint256 tokenId, uint256 amount) internal virtual;
}
