// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Signatures over EIP-712 digests.
library Signature {
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    function digest(bytes32 domainSeparator, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }

    /// Whether this is the one signature (r, s, v) of 65 bytes with a low s that the address made of the hash.
    function isBy(address signer, bytes32 hash, bytes calldata signature) internal pure returns (bool) {
        if (signature.length != 65) return false;
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > HALF_ORDER) return false;
        address recovered = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), s);
        return recovered != address(0) && recovered == signer;
    }
}
