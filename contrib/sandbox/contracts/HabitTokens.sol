// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Token.sol";

// Tokens with habits that a trader has to expect of an unknown one. Their switches are open to any account.

/// Keeps 5 % of each transfer, so that less arrives than was sent.
contract FeeToken is Token {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) Token(name_, symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        uint256 fee = (value * 5) / 100;
        super.move(from, to, value - fee);
        super.move(from, address(this), fee);
    }
}

/// Counts shares, so that a balance is rounded: a unit less arrives than was sent, as with tokens that bear interest.
contract ShareToken is Token {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) Token(name_, symbol_, decimals_) {}

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        if (value > 0) balanceOf[to] -= 1;
    }
}

/// Moves until an account pauses it.
contract PausableToken is Token {
    bool public paused;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) Token(name_, symbol_, decimals_) {}

    function pause() external {
        paused = true;
    }

    function unpause() external {
        paused = false;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!paused, "Pausable: paused");
        super.move(from, to, value);
    }
}

/// Freezes holders: an account that gets some from a contract, as from a pool, cannot move it any more. It can be bought, not sold.
contract FreezingToken is Token {
    mapping(address => bool) public frozen;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) Token(name_, symbol_, decimals_) {}

    function freeze(address holder) external {
        frozen[holder] = true;
    }

    function unfreeze(address holder) external {
        frozen[holder] = false;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!frozen[from], "the holder is frozen");
        super.move(from, to, value);
        if (from.code.length > 0) frozen[to] = true;
    }
}
