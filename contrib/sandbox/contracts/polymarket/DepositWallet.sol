// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Interfaces.sol";
import "./Signature.sol";

struct Call {
    address target;
    uint256 value;
    bytes data;
}

struct Batch {
    address wallet;
    uint256 nonce;
    uint256 deadline;
    Call[] calls;
}

/// A wallet that belongs to a key and acts on its signatures, for which another account pays. Proxies of the factory run
/// this code; at the end of their own they carry the factory and the owner, 32 bytes each.
contract DepositWallet {
    error NotFactory();
    error WrongWallet();
    error WrongNonce();
    error DeadlinePassed();
    error InvalidSignature();

    event BatchExecuted(uint256 indexed nonce, bytes32 digest);

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CALL_TYPE = keccak256("Call(address target,uint256 value,bytes data)");
    bytes32 private constant BATCH_TYPE = keccak256(
        "Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)Call(address target,uint256 value,bytes data)"
    );
    bytes32 private constant NAME = keccak256("DepositWallet");
    bytes32 private constant VERSION = keccak256("1");
    bytes4 private constant NO_SIGNATURE = 0xffffffff;
    uint256 private constant INNER_SIGNATURE = 65;

    /// Of the next batch: each is executed once.
    uint256 public nonce;

    receive() external payable {}

    function owner() public view returns (address holder) {
        (, holder) = abi.decode(carried(), (address, address));
    }

    function factory() public view returns (address maker) {
        (maker,) = abi.decode(carried(), (address, address));
    }

    function domainSeparator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
    }

    /// What the owner signs for a batch.
    function hashBatch(Batch calldata batch) public view returns (bytes32) {
        bytes32[] memory calls = new bytes32[](batch.calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            Call calldata one = batch.calls[i];
            calls[i] = keccak256(abi.encode(CALL_TYPE, one.target, one.value, keccak256(one.data)));
        }
        bytes32 all = keccak256(abi.encodePacked(calls));
        bytes32 structHash = keccak256(abi.encode(BATCH_TYPE, batch.wallet, batch.nonce, batch.deadline, all));
        return Signature.digest(domainSeparator(), structHash);
    }

    /// All calls of a batch that the owner signed, or none.
    function execute(Batch calldata batch, bytes calldata signature) external {
        if (msg.sender != factory()) revert NotFactory();
        if (batch.wallet != address(this)) revert WrongWallet();
        if (batch.nonce != nonce) revert WrongNonce();
        if (block.timestamp > batch.deadline) revert DeadlinePassed();
        bytes32 digest = hashBatch(batch);
        if (!Signature.isBy(owner(), digest, signature)) revert InvalidSignature();
        nonce++;
        for (uint256 i = 0; i < batch.calls.length; i++) perform(batch.calls[i]);
        emit BatchExecuted(batch.nonce, digest);
    }

    /// ERC-1271 with the nesting of ERC-7739, so that a signature holds for one wallet even where a key owns several.
    /// The envelope is: the owner's signature, the application's domain separator, the hash of the signed contents, the
    /// type of the contents, and the length of that type in two bytes.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length < 2) return NO_SIGNATURE;
        uint256 typeLength = uint16(bytes2(signature[signature.length - 2:]));
        if (typeLength == 0 || signature.length != INNER_SIGNATURE + 64 + typeLength + 2) return NO_SIGNATURE;
        bytes32 application = bytes32(signature[65:97]);
        bytes32 contents = bytes32(signature[97:129]);
        if (hash != Signature.digest(application, contents)) return NO_SIGNATURE;
        bytes32 structHash = nested(contents, signature[129:129 + typeLength]);
        bool isOwners =
            Signature.isBy(owner(), Signature.digest(application, structHash), signature[:INNER_SIGNATURE]);
        return isOwners ? ISignatureValidator.isValidSignature.selector : NO_SIGNATURE;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(IERC1155Receiver).interfaceId;
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

    /// The hash of TypedDataSign over the contents, in whose type the contents' name and type are spelled out.
    function nested(bytes32 contents, bytes calldata contentsType) private view returns (bytes32) {
        uint256 nameLength = 0;
        while (nameLength < contentsType.length && contentsType[nameLength] != "(") nameLength++;
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "TypedDataSign(",
                contentsType[:nameLength],
                " contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)",
                contentsType
            )
        );
        return keccak256(abi.encode(typeHash, contents, NAME, VERSION, block.chainid, address(this), bytes32(0)));
    }

    function perform(Call calldata one) private {
        (bool success, bytes memory answer) = one.target.call{value: one.value}(one.data);
        if (success) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }

    function carried() private view returns (bytes memory words) {
        uint256 end = address(this).code.length;
        words = new bytes(64);
        assembly {
            extcodecopy(address(), add(words, 32), sub(end, 64), 64)
        }
    }
}
