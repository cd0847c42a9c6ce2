// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

/// Stands in for LI.FI's FeeCollector, which keeps what integrators take of what is sold until they fetch it.
contract FeeCollector {
    mapping(address => mapping(address => uint256)) private collected; // by integrator and token

    error NotEnoughNativeForFees();

    event FeesCollected(address indexed token, address indexed integrator, uint256 integratorFee, uint256 lifiFee);

    function collectTokenFees(address token, uint256 integratorFee, uint256 lifiFee, address integrator) external {
        Money.pull(token, msg.sender, address(this), integratorFee + lifiFee);
        note(token, integratorFee, lifiFee, integrator);
    }

    /// What is beyond the fees goes back.
    function collectNativeFees(uint256 integratorFee, uint256 lifiFee, address integrator) external payable {
        if (msg.value < integratorFee + lifiFee) revert NotEnoughNativeForFees();
        note(address(0), integratorFee, lifiFee, integrator);
        Money.pay(address(0), msg.sender, msg.value - integratorFee - lifiFee);
    }

    function getTokenBalance(address integrator, address token) external view returns (uint256) {
        return collected[integrator][token];
    }

    function note(address token, uint256 integratorFee, uint256 lifiFee, address integrator) private {
        collected[integrator][token] += integratorFee;
        emit FeesCollected(token, integrator, integratorFee, lifiFee);
    }
}
