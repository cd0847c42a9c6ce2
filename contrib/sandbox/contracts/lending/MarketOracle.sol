// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPriceFeed {
    function latestAnswer() external view returns (int256);
}

/// The oracle of one of Morpho's markets: what the smallest unit of the collateral is worth in those of what is lent, times
/// 1e36. It asks the feeds that Aave's oracle asks, so both protocols agree.
contract MarketOracle {
    IPriceFeed private immutable collateral;
    IPriceFeed private immutable loan;
    uint256 private immutable scale;

    constructor(IPriceFeed collateral_, IPriceFeed loan_, uint8 collateralDecimals, uint8 loanDecimals) {
        collateral = collateral_;
        loan = loan_;
        scale = 10 ** (36 + loanDecimals - collateralDecimals);
    }

    function price() external view returns (uint256) {
        return scale * uint256(collateral.latestAnswer()) / uint256(loan.latestAnswer());
    }
}
