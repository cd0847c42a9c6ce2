// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../Token.sol";
import "./Collateral.sol";
import "./Interfaces.sol";

/// Split, merge and redeem with the collateral of the exchanges: the conditions' own collateral is another token. The
/// functions have the shape of those of ConditionalTokens, whose collateral, parent and index sets are given here by
/// the contract and not by the caller.
contract CtfCollateralAdapter {
    CollateralToken public immutable collateralToken;
    IConditionalTokens public immutable conditionalTokens;
    /// What the conditions hold, and what outcome tokens are derived from.
    Token public immutable underlying;
    Token internal immutable dollars;

    constructor(CollateralToken collateralToken_, IConditionalTokens conditionalTokens_, Token underlying_, Token dollars_) {
        collateralToken = collateralToken_;
        conditionalTokens = conditionalTokens_;
        underlying = underlying_;
        dollars = dollars_;
    }

    function splitPosition(address, bytes32, bytes32 conditionId, uint256[] calldata, uint256 amount) external {
        collateralToken.transferFrom(msg.sender, address(this), amount);
        collateralToken.unwrap(address(this), amount);
        fromDollars(amount);
        underlying.approve(address(conditionalTokens), amount);
        conditionalTokens.splitPosition(address(underlying), 0, conditionId, bothOutcomes(), amount);
        conditionalTokens.safeBatchTransferFrom(
            address(this), msg.sender, positionsOf(conditionId), twice(amount), ""
        );
    }

    function mergePositions(address, bytes32, bytes32 conditionId, uint256[] calldata, uint256 amount) external {
        conditionalTokens.safeBatchTransferFrom(
            msg.sender, address(this), positionsOf(conditionId), twice(amount), ""
        );
        conditionalTokens.mergePositions(address(underlying), 0, conditionId, bothOutcomes(), amount);
        payOut(amount);
    }

    /// Redeems all that the caller has of both outcomes.
    function redeemPositions(address, bytes32, bytes32 conditionId, uint256[] calldata) external {
        uint256[] memory positions = positionsOf(conditionId);
        uint256[] memory amounts = new uint256[](2);
        for (uint256 i = 0; i < 2; i++) amounts[i] = conditionalTokens.balanceOf(msg.sender, positions[i]);
        conditionalTokens.safeBatchTransferFrom(msg.sender, address(this), positions, amounts, "");
        uint256 before = underlying.balanceOf(address(this));
        conditionalTokens.redeemPositions(address(underlying), 0, conditionId, bothOutcomes());
        payOut(underlying.balanceOf(address(this)) - before);
    }

    /// The outcome tokens of a condition: first outcome, second outcome.
    function positionsOf(bytes32 conditionId) public view returns (uint256[] memory positions) {
        positions = new uint256[](2);
        for (uint256 i = 0; i < 2; i++) {
            positions[i] = conditionalTokens.getPositionId(
                address(underlying), conditionalTokens.getCollectionId(0, conditionId, 1 << i)
            );
        }
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    function payOut(uint256 amount) private {
        toDollars(amount);
        dollars.approve(address(collateralToken), amount);
        collateralToken.wrap(msg.sender, amount);
    }

    /// Turns dollars of this contract into what the conditions hold.
    function fromDollars(uint256 amount) internal virtual {}

    /// And back.
    function toDollars(uint256 amount) internal virtual {}

    function bothOutcomes() private pure returns (uint256[] memory) {
        return pair(1, 2);
    }

    function twice(uint256 amount) private pure returns (uint256[] memory) {
        return pair(amount, amount);
    }

    function pair(uint256 first, uint256 second) private pure returns (uint256[] memory values) {
        values = new uint256[](2);
        values[0] = first;
        values[1] = second;
    }
}

/// The collateral of neg-risk conditions: dollars in a wrapper of their own.
contract WrappedCollateral is Token {
    Token public dollars;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, Token dollars_)
        Token(name_, symbol_, decimals_)
    {
        dollars = dollars_;
    }

    function wrap(address to, uint256 amount) external {
        dollars.transferFrom(msg.sender, address(this), amount);
        issue(to, amount);
    }

    function unwrap(address to, uint256 amount) external {
        burn(msg.sender, amount);
        dollars.transfer(to, amount);
    }

    function mint(address, uint256) external pure override {
        revert("wrap instead");
    }
}

/// The same for neg-risk conditions.
contract NegRiskCtfCollateralAdapter is CtfCollateralAdapter {
    constructor(
        CollateralToken collateralToken_,
        IConditionalTokens conditionalTokens_,
        WrappedCollateral underlying_,
        Token dollars_
    ) CtfCollateralAdapter(collateralToken_, conditionalTokens_, underlying_, dollars_) {}

    function fromDollars(uint256 amount) internal override {
        dollars.approve(address(underlying), amount);
        WrappedCollateral(address(underlying)).wrap(address(this), amount);
    }

    function toDollars(uint256 amount) internal override {
        WrappedCollateral(address(underlying)).unwrap(address(this), amount);
    }
}
