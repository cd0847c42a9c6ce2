// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../Token.sol";
import "./Exchange.sol";

/// The ledger of Protocol V2: conditions with two outcomes, and positions in them. A condition's identifier has 31
/// bytes; the position's is that and, as the last byte, the outcome. The collateral of all positions lies here.
contract PositionManager {
    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event ConditionPreparation(bytes31 indexed conditionId, address indexed oracle, bytes32 indexed questionId);
    event ConditionResolution(bytes31 indexed conditionId, uint256[2] payouts);

    struct Condition {
        address oracle;
        uint256[2] payouts;
    }

    Token public immutable collateral;
    mapping(bytes31 => Condition) private conditions;
    mapping(address => mapping(uint256 => uint256)) private balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    constructor(Token collateral_) {
        collateral = collateral_;
    }

    // ---------------------------------------------------------------- conditions

    function getConditionId(address oracle, bytes32 questionId) public pure returns (bytes31) {
        return bytes31(keccak256(abi.encodePacked(oracle, questionId)));
    }

    function getPositionId(bytes31 conditionId, uint256 outcomeIndex) public pure returns (uint256) {
        require(outcomeIndex < 2, "no such outcome");
        return uint256(bytes32(conditionId)) | outcomeIndex;
    }

    function prepareCondition(address oracle, bytes32 questionId) external {
        bytes31 conditionId = getConditionId(oracle, questionId);
        require(conditions[conditionId].oracle == address(0), "condition is prepared already");
        conditions[conditionId].oracle = oracle;
        emit ConditionPreparation(conditionId, oracle, questionId);
    }

    /// The caller is the oracle. Shares are paid in proportion.
    function reportPayouts(bytes32 questionId, uint256[2] calldata payouts) external {
        bytes31 conditionId = getConditionId(msg.sender, questionId);
        Condition storage condition = conditions[conditionId];
        require(condition.oracle == msg.sender, "condition is not prepared");
        require(condition.payouts[0] + condition.payouts[1] == 0, "condition is resolved already");
        require(payouts[0] + payouts[1] > 0, "payouts are all zero");
        condition.payouts = payouts;
        emit ConditionResolution(conditionId, payouts);
    }

    /// What an amount of a position is worth; fails before the condition is resolved.
    function getPayout(uint256 positionId, uint256 amount) public view returns (uint256) {
        uint256[2] storage payouts = conditions[bytes31(bytes32(positionId))].payouts;
        uint256 denominator = payouts[0] + payouts[1];
        require(denominator > 0, "condition is not resolved");
        return amount * payouts[positionId & 0xff] / denominator;
    }

    // ---------------------------------------------------------------- collateral and positions

    /// Takes the caller's collateral.
    function split(bytes31 conditionId, uint256 amount) external {
        require(conditions[conditionId].oracle != address(0), "condition is not prepared");
        collateral.transferFrom(msg.sender, address(this), amount);
        for (uint256 i = 0; i < 2; i++) mint(msg.sender, getPositionId(conditionId, i), amount);
    }

    /// Burns the caller's positions.
    function merge(bytes31 conditionId, uint256 amount) external {
        for (uint256 i = 0; i < 2; i++) burn(msg.sender, getPositionId(conditionId, i), amount);
        collateral.transfer(msg.sender, amount);
    }

    /// Burns the caller's position.
    function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount) external returns (uint256 payout) {
        uint256 positionId = getPositionId(conditionId, outcomeIndex);
        payout = getPayout(positionId, amount);
        burn(msg.sender, positionId, amount);
        collateral.transfer(msg.sender, payout);
    }

    // ---------------------------------------------------------------- ERC-1155

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(IERC1155).interfaceId;
    }

    function balanceOf(address owner, uint256 id) external view returns (uint256) {
        return balances[owner][id];
    }

    function balanceOfBatch(address[] calldata owners, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory values)
    {
        require(owners.length == ids.length, "ERC1155: lengths differ");
        values = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) values[i] = balances[owners[i]][ids[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) public {
        unsafeTransferFrom(from, to, id, amount);
        if (to.code.length == 0) return;
        bytes4 answer = IERC1155Receiver(to).onERC1155Received(msg.sender, from, id, amount, data);
        require(answer == IERC1155Receiver.onERC1155Received.selector, "ERC1155: refused by the receiver");
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external {
        require(ids.length == amounts.length, "ERC1155: lengths differ");
        for (uint256 i = 0; i < ids.length; i++) safeTransferFrom(from, to, ids[i], amounts[i], data);
    }

    /// Without a call of the receiver, as positions are minted without one.
    function unsafeTransferFrom(address from, address to, uint256 id, uint256 amount) public {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "ERC1155: not approved");
        require(to != address(0), "ERC1155: transfer to the zero address");
        require(balances[from][id] >= amount, "ERC1155: transfer amount exceeds balance");
        balances[from][id] -= amount;
        balances[to][id] += amount;
        emit TransferSingle(msg.sender, from, to, id, amount);
    }

    function mint(address to, uint256 id, uint256 amount) private {
        balances[to][id] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }

    function burn(address from, uint256 id, uint256 amount) private {
        require(balances[from][id] >= amount, "ERC1155: burn amount exceeds balance");
        balances[from][id] -= amount;
        emit TransferSingle(msg.sender, from, address(0), id, amount);
    }
}

/// Where wallets split, merge and redeem. The caller approves it: collateral for a split, positions for the others.
contract Router {
    Token public immutable collateral;
    PositionManager public immutable positions;

    constructor(Token collateral_, PositionManager positions_) {
        collateral = collateral_;
        positions = positions_;
    }

    function split(bytes31 conditionId, uint256 amount) external {
        collateral.transferFrom(msg.sender, address(this), amount);
        collateral.approve(address(positions), amount);
        positions.split(conditionId, amount);
        for (uint256 i = 0; i < 2; i++) {
            positions.unsafeTransferFrom(address(this), msg.sender, positions.getPositionId(conditionId, i), amount);
        }
    }

    function merge(bytes31 conditionId, uint256 amount) external {
        for (uint256 i = 0; i < 2; i++) take(positions.getPositionId(conditionId, i), amount);
        positions.merge(conditionId, amount);
        collateral.transfer(msg.sender, amount);
    }

    function redeem(bytes31 conditionId, uint256 outcomeIndex, uint256 amount) external {
        take(positions.getPositionId(conditionId, outcomeIndex), amount);
        collateral.transfer(msg.sender, positions.redeem(conditionId, outcomeIndex, amount));
    }

    function take(uint256 positionId, uint256 amount) private {
        positions.unsafeTransferFrom(msg.sender, address(this), positionId, amount);
    }
}

/// The exchange of Protocol V2. Conditions are given as 32 bytes, the last of which is zero.
contract ExchangeV3 is Exchange {
    PositionManager public immutable positions;

    constructor(Token collateral_, address operator_, PositionManager positions_)
        Exchange("3", collateral_, operator_)
    {
        positions = positions_;
    }

    function outcomeTokens(bytes32 conditionId) public view override returns (uint256, uint256) {
        bytes31 narrow = narrowed(conditionId);
        return (positions.getPositionId(narrow, 0), positions.getPositionId(narrow, 1));
    }

    function split(bytes32 conditionId, uint256 amount) internal override {
        collateral.approve(address(positions), amount);
        positions.split(narrowed(conditionId), amount);
    }

    function merge(bytes32 conditionId, uint256 amount) internal override {
        positions.merge(narrowed(conditionId), amount);
    }

    function moveShares(address from, address to, uint256 tokenId, uint256 amount) internal override {
        positions.unsafeTransferFrom(from, to, tokenId, amount);
    }

    function narrowed(bytes32 conditionId) private pure returns (bytes31) {
        if (uint8(uint256(conditionId)) != 0) revert MismatchedTokenIds();
        return bytes31(conditionId);
    }
}
