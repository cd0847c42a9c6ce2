// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
}

/// Tokens, and the chain's own coin under the names that aggregators have for it. Tokens that return nothing count too.
library Money {
    address internal constant COIN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    function isCoin(address token) internal pure returns (bool) {
        return token == COIN || token == address(0);
    }

    function balance(address token, address owner) internal view returns (uint256) {
        return isCoin(token) ? owner.balance : IERC20(token).balanceOf(owner);
    }

    function pay(address token, address to, uint256 amount) internal {
        if (amount == 0) return;
        if (!isCoin(token)) return tell(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        (bool done,) = to.call{value: amount}("");
        require(done, "the coin was not taken");
    }

    function pull(address token, address from, address to, uint256 amount) internal {
        if (amount > 0) tell(token, abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, amount));
    }

    /// Takes back what was left of the last allowance first: some tokens demand it.
    function allow(address token, address spender, uint256 amount) internal {
        if (IERC20(token).allowance(address(this), spender) > 0) {
            tell(token, abi.encodeWithSignature("approve(address,uint256)", spender, 0));
        }
        tell(token, abi.encodeWithSignature("approve(address,uint256)", spender, amount));
    }

    function tell(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        bounce(done, answer);
        require(token.code.length > 0 && (answer.length == 0 || abi.decode(answer, (bool))), "the token refused");
    }

    /// Calls a contract, and fails as it does.
    function run(address target, uint256 value, bytes memory data) internal returns (bytes memory answer) {
        bool done;
        (done, answer) = target.call{value: value}(data);
        bounce(done, answer);
    }

    function bounce(bool done, bytes memory answer) private pure {
        if (done) return;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}
