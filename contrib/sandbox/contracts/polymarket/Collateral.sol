// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../Token.sol";

/// The dollar that markets are settled in. Each one is backed by a dollar of the other kind, which lies here, so that
/// `dollars.balanceOf(this) == totalSupply` always holds. Only the ramps and the adapters turn one into the other.
contract CollateralToken is Token {
    Token public dollars;
    mapping(address => bool) public isWrapper;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, Token dollars_, address[] memory wrappers)
        Token(name_, symbol_, decimals_)
    {
        dollars = dollars_;
        for (uint256 i = 0; i < wrappers.length; i++) isWrapper[wrappers[i]] = true;
    }

    modifier onlyWrapper() {
        require(isWrapper[msg.sender], "not a wrapper");
        _;
    }

    /// Takes the caller's dollars.
    function wrap(address to, uint256 amount) external onlyWrapper {
        dollars.transferFrom(msg.sender, address(this), amount);
        issue(to, amount);
    }

    /// Burns the caller's collateral.
    function unwrap(address to, uint256 amount) external onlyWrapper {
        burn(msg.sender, amount);
        dollars.transfer(to, amount);
    }

    function mint(address, uint256) external pure override {
        revert("wrap instead");
    }
}

/// What the two ramps have in common: they know one asset.
abstract contract Ramp {
    CollateralToken public immutable collateralToken;
    Token internal immutable dollars;

    constructor(CollateralToken collateralToken_, Token dollars_) {
        collateralToken = collateralToken_;
        dollars = dollars_;
    }

    modifier accepts(address asset) {
        require(asset == address(dollars), "asset not supported");
        _;
    }
}

/// Dollars in, collateral out. The caller approves the ramp beforehand.
contract CollateralOnramp is Ramp {
    constructor(CollateralToken collateralToken_, Token dollars_) Ramp(collateralToken_, dollars_) {}

    function wrap(address asset, address to, uint256 amount) external accepts(asset) {
        dollars.transferFrom(msg.sender, address(this), amount);
        dollars.approve(address(collateralToken), amount);
        collateralToken.wrap(to, amount);
    }
}

/// Collateral in, dollars out. The caller approves the ramp beforehand.
contract CollateralOfframp is Ramp {
    constructor(CollateralToken collateralToken_, Token dollars_) Ramp(collateralToken_, dollars_) {}

    function unwrap(address asset, address to, uint256 amount) external accepts(asset) {
        collateralToken.transferFrom(msg.sender, address(this), amount);
        collateralToken.unwrap(to, amount);
    }
}
