// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Adapters.sol";
import "./Exchange.sol";

/// The exchange of conditions in ConditionalTokens: of ordinary ones with one adapter, of neg-risk ones with the other.
contract CtfExchange is Exchange {
    CtfCollateralAdapter public immutable adapter;
    IConditionalTokens public immutable conditionalTokens;

    constructor(Token collateral_, address operator_, CtfCollateralAdapter adapter_, IConditionalTokens conditionalTokens_)
        Exchange("2", collateral_, operator_)
    {
        adapter = adapter_;
        conditionalTokens = conditionalTokens_;
    }

    function outcomeTokens(bytes32 conditionId) public view override returns (uint256, uint256) {
        uint256[] memory positions = adapter.positionsOf(conditionId);
        return (positions[0], positions[1]);
    }

    function split(bytes32 conditionId, uint256 amount) internal override {
        collateral.approve(address(adapter), amount);
        adapter.splitPosition(address(0), 0, conditionId, new uint256[](0), amount);
    }

    function merge(bytes32 conditionId, uint256 amount) internal override {
        if (!conditionalTokens.isApprovedForAll(address(this), address(adapter))) {
            conditionalTokens.setApprovalForAll(address(adapter), true);
        }
        adapter.mergePositions(address(0), 0, conditionId, new uint256[](0), amount);
    }

    function moveShares(address from, address to, uint256 tokenId, uint256 amount) internal override {
        conditionalTokens.safeTransferFrom(from, to, tokenId, amount, "");
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
}
