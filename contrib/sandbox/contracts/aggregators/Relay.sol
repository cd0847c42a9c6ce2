// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

/// Stands in for Relay's depository: it keeps what is deposited, under the id of an order that it knows nothing of. Only
/// its allocator takes out.
contract Relay {
    address internal allocator;

    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    constructor(address allocator_) {
        allocator = allocator_;
    }

    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(depositor == address(0) ? msg.sender : depositor, msg.value, id);
    }

    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external {
        deposit(depositor, token, amount, id);
    }

    /// Takes the whole allowance.
    function depositErc20(address depositor, address token, bytes32 id) external {
        deposit(depositor, token, IERC20(token).allowance(msg.sender, address(this)), id);
    }

    function pay(address token, address to, uint256 amount) external {
        require(msg.sender == allocator, "Unauthorized");
        Money.pay(token, to, amount);
    }

    function deposit(address depositor, address token, uint256 amount, bytes32 id) private {
        Money.pull(token, msg.sender, address(this), amount);
        emit RelayErc20Deposit(depositor == address(0) ? msg.sender : depositor, token, amount, id);
    }
}
