// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "../aggregators/Money.sol";

/// Replaces the bridge of a perpetuals venue: dollars transferred to it are the sender's there, and the venue pays out.
contract PerpsBridge {
    address internal venue;

    constructor(address venue_) {
        venue = venue_;
    }

    function pay(address token, address to, uint256 amount) external {
        require(msg.sender == venue, "Unauthorized");
        Money.pay(token, to, amount);
    }
}
