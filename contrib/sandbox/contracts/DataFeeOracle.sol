// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Answers like the data fee oracle of OP-stack chains, so that code which asks it can be exercised.
/// The local chain itself charges no data fee.
contract DataFeeOracle {
    uint256 private constant WEI_PER_BYTE = 100_000_000;

    function getL1Fee(bytes calldata transaction) external pure returns (uint256) {
        return transaction.length * WEI_PER_BYTE;
    }

    function getL1FeeUpperBound(uint256 size) external pure returns (uint256) {
        return size * WEI_PER_BYTE;
    }

    /// On Mantle fees for data are told in ether, and taken in its coin, of which one ether is worth so many
    /// (mantlenetworkio/mantle-v2, GasPriceOracle 1.1.0, and op-geth, NewL1CostFuncArsia).
    function tokenRatio() external view returns (uint256) {
        require(block.chainid == 5000);
        return 4000;
    }

    function getOperatorFee(uint256) external pure returns (uint256) {
        return 0;
    }
}
