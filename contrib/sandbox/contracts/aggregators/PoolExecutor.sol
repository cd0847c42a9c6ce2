// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

interface IWrapped {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

interface IPoolRouter {
    struct ExactInput {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 limit;
    }

    function exactInputSingle(ExactInput calldata input) external payable returns (uint256);
    function swapExactTokensForTokens(uint256 amountIn, uint256 minimum, address[] calldata path, address to)
        external
        payable
        returns (uint256);
}

/// Trades against the local Uniswap pools for all aggregators, as their own executors do for the real ones. What it
/// pays out is a share of what the pools gave: the rest stays here, and what it adds comes from its own stock. Its
/// data can tell it to misbehave.
contract PoolExecutor {
    /// How it misbehaves: nothing of it when all is zero.
    struct Lie {
        uint8 when; // WHEN_...: at other times it is honest
        uint256 since; // the block that WHEN_SINCE means
        uint256 share; // of the output, instead of the honest share; zero: the honest one
        address recipient; // gets the output instead of the right one
        uint256 back; // so many ten-thousandths of the input are not traded but given to `recipient`
        address target; // called with `call` before anything is paid
        bytes call;
    }

    struct Trade {
        uint256 amountIn; // of the coin: the call's whole value
        bytes path; // token, and for each hop: kind (2 or 3), fee (three bytes), token
        address tokenOut; // the path's last token, or the coin where that is the wrapped coin
        address recipient;
        uint256 share; // in ten-thousandths
        Lie lie;
    }

    struct CallDescription {
        uint256 target;
        uint256 gasLimit;
        uint256 value;
        bytes data;
    }

    uint8 internal constant WHEN_ALWAYS = 0;
    uint8 internal constant WHEN_SINCE = 1;
    uint8 internal constant WHEN_PAID = 2; // the gas has a price: no simulation that leaves it out
    uint256 internal constant WHOLE = 10000;
    uint256 internal constant TOKEN_LEN = 20;
    uint256 internal constant HOP_LEN = 24;

    address internal router;
    address internal wrapped;

    constructor(address router_, address wrapped_) {
        router = router_;
        wrapped = wrapped_;
    }

    receive() external payable {}

    /// Trades what was sent here before, or comes along.
    function trade(bytes calldata data) external payable {
        run(abi.decode(data, (Trade)), msg.value);
    }

    /// Takes the input from its caller, by an allowance. The amount stands first, where callers can replace it.
    function tradeFrom(uint256 amount, bytes calldata data) external {
        Trade memory order = abi.decode(data, (Trade));
        order.amountIn = amount;
        Money.pull(tokenAt(order.path, 0), msg.sender, address(this), amount);
        run(order, 0);
    }

    /// What OpenOcean's router asks of those that trade for it.
    function makeCalls(CallDescription[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            require(address(uint160(calls[i].target)) == address(this), "not a call to the executor");
            Money.run(address(this), calls[i].value, calls[i].data);
        }
    }

    function run(Trade memory order, uint256 coins) private {
        Lie memory lie = due(order.lie) ? order.lie : honest();
        if (coins > 0) IWrapped(wrapped).deposit{value: coins}();
        address tokenIn = tokenAt(order.path, 0);
        uint256 amount = coins > 0 ? coins : order.amountIn;
        if (lie.target != address(0)) Money.run(lie.target, 0, lie.call);
        address to = lie.recipient == address(0) ? order.recipient : lie.recipient;
        uint256 back = (amount * lie.back) / WHOLE;
        Money.pay(tokenIn, to, back);
        uint256 out = walk(order.path, amount - back);
        out = (out * (lie.share == 0 ? order.share : lie.share)) / WHOLE;
        if (Money.isCoin(order.tokenOut)) IWrapped(wrapped).withdraw(out);
        Money.pay(order.tokenOut, to, out);
    }

    function due(Lie memory lie) private view returns (bool) {
        if (lie.when == WHEN_SINCE) return block.number >= lie.since;
        return lie.when == WHEN_ALWAYS || (lie.when == WHEN_PAID && tx.gasprice > 0);
    }

    function honest() private pure returns (Lie memory lie) {}

    /// The output of all hops, one after the other.
    function walk(bytes memory path, uint256 amount) private returns (uint256) {
        for (uint256 at = 0; at + HOP_LEN < path.length; at += HOP_LEN) {
            uint8 kind = uint8(path[at + TOKEN_LEN]);
            address from = tokenAt(path, at);
            address to = tokenAt(path, at + HOP_LEN);
            Money.allow(from, router, amount);
            amount = kind == 2 ? hopV2(from, to, amount) : hopV3(from, to, feeAt(path, at), amount);
        }
        return amount;
    }

    function hopV2(address from, address to, uint256 amount) private returns (uint256) {
        address[] memory path = new address[](2);
        (path[0], path[1]) = (from, to);
        return IPoolRouter(router).swapExactTokensForTokens(amount, 0, path, address(this));
    }

    function hopV3(address from, address to, uint24 fee, uint256 amount) private returns (uint256) {
        return IPoolRouter(router).exactInputSingle(IPoolRouter.ExactInput(from, to, fee, address(this), amount, 0, 0));
    }

    function tokenAt(bytes memory path, uint256 at) private pure returns (address token) {
        assembly {
            token := shr(96, mload(add(add(path, 32), at)))
        }
    }

    function feeAt(bytes memory path, uint256 at) private pure returns (uint24 fee) {
        assembly {
            fee := shr(232, mload(add(add(path, 53), at)))
        }
    }
}
