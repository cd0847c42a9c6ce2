// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Token.sol";

/// A token that any account may mint.
contract OpenToken is Token {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) Token(name_, symbol_, decimals_) {}

    function mint(address to, uint256 value) external override {
        issue(to, value);
    }
}
