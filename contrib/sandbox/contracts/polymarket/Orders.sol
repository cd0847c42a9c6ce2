// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Interfaces.sol";
import "./Signature.sol";

enum Side {
    BUY,
    SELL
}

/// What a maker signs, and the signature. A BUY gives `makerAmount` collateral for `takerAmount` shares, a SELL the
/// reverse; both have six decimals.
struct Order {
    uint256 salt;
    address maker;
    address signer;
    uint256 tokenId;
    uint256 makerAmount;
    uint256 takerAmount;
    Side side;
    uint8 signatureType;
    uint256 timestamp;
    bytes32 metadata;
    bytes32 builder;
    bytes signature;
}

struct OrderStatus {
    bool filled;
    /// Of `makerAmount`; 0 in an order that was never filled, too.
    uint248 remaining;
}

/// Hashes, signatures and filled amounts of orders.
abstract contract Orders {
    error InvalidSignature();
    error OrderAlreadyFilled();
    error MakingGtRemaining();
    error ZeroMakerAmount();

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,"
        "uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)"
    );
    bytes32 private constant NAME = keccak256("Polymarket CTF Exchange");

    // Of the four types, those of the venue's older wallets (1 and 2) are not known here.
    uint8 private constant EOA = 0;
    uint8 private constant POLY_1271 = 3;

    bytes32 private immutable version;
    mapping(bytes32 => OrderStatus) private statuses;

    constructor(string memory version_) {
        version = keccak256(bytes(version_));
    }

    function domainSeparator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPE, NAME, version, block.chainid, address(this)));
    }

    function hashOrder(Order calldata order) public view returns (bytes32) {
        bytes memory first = abi.encode(
            ORDER_TYPE, order.salt, order.maker, order.signer, order.tokenId, order.makerAmount, order.takerAmount
        );
        bytes memory second =
            abi.encode(order.side, order.signatureType, order.timestamp, order.metadata, order.builder);
        return Signature.digest(domainSeparator(), keccak256(bytes.concat(first, second)));
    }

    function getOrderStatus(bytes32 orderHash) external view returns (OrderStatus memory) {
        return statuses[orderHash];
    }

    /// Reverts unless the order is signed by its maker and open.
    function validateOrder(Order calldata order) external view {
        bytes32 orderHash = hashOrder(order);
        validateOrderSignature(orderHash, order);
        if (statuses[orderHash].filled) revert OrderAlreadyFilled();
        if (order.makerAmount == 0) revert ZeroMakerAmount();
    }

    function validateOrderSignature(bytes32 orderHash, Order calldata order) public view {
        bool isMakers;
        if (order.maker != order.signer) {
            isMakers = false;
        } else if (order.signatureType == EOA) {
            isMakers = Signature.isBy(order.signer, orderHash, order.signature);
        } else if (order.signatureType == POLY_1271 && order.maker.code.length > 0) {
            isMakers = ISignatureValidator(order.maker).isValidSignature(orderHash, order.signature)
                == ISignatureValidator.isValidSignature.selector;
        }
        if (!isMakers) revert InvalidSignature();
    }

    /// Takes `making` of what is left of an order that has to be valid.
    function takeFrom(Order calldata order, uint256 making) internal returns (bytes32 orderHash) {
        orderHash = hashOrder(order);
        validateOrderSignature(orderHash, order);
        if (order.makerAmount == 0) revert ZeroMakerAmount();
        OrderStatus storage status = statuses[orderHash];
        if (status.filled) revert OrderAlreadyFilled();
        uint256 remaining = status.remaining == 0 ? order.makerAmount : status.remaining;
        if (making > remaining) revert MakingGtRemaining();
        status.remaining = uint248(remaining - making);
        status.filled = remaining == making;
    }
}
