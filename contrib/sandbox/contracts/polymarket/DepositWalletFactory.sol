// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./DepositWallet.sol";

/// Tells the newer wallets which code they run.
contract WalletBeacon {
    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }
}

/// Makes the wallets, at addresses that follow from their owners, and passes on what the relayer brings. Wallets of the
/// first generation have the implementation in a slot, later ones ask the beacon.
contract DepositWalletFactory {
    error NotOperator();
    error MismatchedArrayLengths();
    error DeploymentFailed();

    event WalletDeployed(address indexed wallet, address indexed owner);

    address public immutable operator;
    address public immutable implementation;
    /// As the factory on Polygon names it (2026-06-29): wallets that are made now ask it.
    address public immutable BEACON;

    constructor(address operator_, address implementation_, address beacon_) {
        operator = operator_;
        implementation = implementation_;
        BEACON = beacon_;
    }

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator();
        _;
    }

    function deploy(address[] calldata owners) external onlyOperator {
        for (uint256 i = 0; i < owners.length; i++) create(owners[i], beaconCode(owners[i]));
    }

    /// A wallet as they were made before there was a beacon.
    function deployUups(address owner) external onlyOperator {
        create(owner, uupsCode(owner));
    }

    /// Executes batches of the wallets, each with its owner's signature.
    function proxy(Batch[] calldata batches, bytes[] calldata signatures) external onlyOperator {
        if (batches.length != signatures.length) revert MismatchedArrayLengths();
        for (uint256 i = 0; i < batches.length; i++) {
            DepositWallet(payable(batches[i].wallet)).execute(batches[i], signatures[i]);
        }
    }

    /// Of the wallet whose id is that word: the owner's address.
    function predictWalletAddress(bytes32 id) external view returns (address) {
        address owner = address(uint160(uint256(id)));
        return addressOf(owner, beaconCode(owner));
    }

    function walletOf(address owner) external view returns (address) {
        return addressOf(owner, beaconCode(owner));
    }

    function uupsWalletOf(address owner) external view returns (address) {
        return addressOf(owner, uupsCode(owner));
    }

    // The codes are those of the wallets on Polygon, or the addresses would be others: a constructor, a proxy's code
    // with the implementation or the beacon in it, and at the end what the wallet carries.

    function uupsCode(address owner) private view returns (bytes memory) {
        return abi.encodePacked(
            hex"61007d3d8160233d3973",
            implementation,
            hex"60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af4",
            hex"3d6000803e6038573d6000fd5b3d6000f3",
            abi.encode(address(this), owner)
        );
    }

    function beaconCode(address owner) private view returns (bytes memory) {
        return abi.encodePacked(
            hex"6100923d8160233d3973",
            BEACON,
            hex"60195155f3363d3d373d3d363d602036600436635c60da1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72a",
            hex"eaee59ff6cb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3",
            abi.encode(address(this), owner)
        );
    }

    function saltOf(address owner) private view returns (bytes32) {
        return keccak256(abi.encode(address(this), owner));
    }

    function create(address owner, bytes memory code) private {
        bytes32 salt = saltOf(owner);
        address wallet;
        assembly {
            wallet := create2(0, add(code, 32), mload(code), salt)
        }
        if (wallet == address(0)) revert DeploymentFailed();
        emit WalletDeployed(wallet, owner);
    }

    function addressOf(address owner, bytes memory code) private view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", address(this), saltOf(owner), keccak256(code)));
        return address(uint160(uint256(hash)));
    }
}
