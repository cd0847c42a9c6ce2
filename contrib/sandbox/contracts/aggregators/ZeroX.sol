// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

/// Stands in for 0x's AllowanceHolder: it alone has allowances, and lends one for the length of one call.
contract AllowanceHolder {
    mapping(bytes32 => uint256) internal lent;

    error ConfusedDeputy();

    function exec(address operator, address token, uint256 amount, address payable target, bytes calldata data)
        external
        payable
        returns (bytes memory result)
    {
        if (target == token) revert ConfusedDeputy();
        bytes32 loan = keccak256(abi.encode(operator, msg.sender, token));
        lent[loan] = amount;
        result = Money.run(target, msg.value, abi.encodePacked(data, msg.sender));
        lent[loan] = 0;
    }

    function transferFrom(address token, address owner, address recipient, uint256 amount) external returns (bool) {
        lent[keccak256(abi.encode(msg.sender, owner, token))] -= amount;
        Money.pull(token, owner, recipient, amount);
        return true;
    }
}

/// Stands in for 0x's registry of Settlers, a token for each feature whose owner is the one in use. Any account
/// may change it.
contract SettlerRegistry {
    mapping(uint256 => address) internal current;
    mapping(uint256 => address) internal previous;
    mapping(uint256 => bool) internal paused;

    constructor(uint256 feature, address now_, address before) {
        current[feature] = now_;
        previous[feature] = before;
    }

    function ownerOf(uint256 feature) external view returns (address) {
        require(!paused[feature] && current[feature] != address(0), "ERC721: owner query for nonexistent token");
        return current[feature];
    }

    function prev(uint128 feature) external view returns (address) {
        return previous[feature];
    }

    function deploy(uint256 feature, address settler) external {
        previous[feature] = current[feature];
        current[feature] = settler;
    }

    function pause(uint256 feature, bool on) external {
        paused[feature] = on;
    }
}

/// Stands in for a Settler: carries out actions, compares its own balance of what is bought with the minimum, and pays
/// it out whole.
contract Settler {
    struct Slippage {
        address payable recipient;
        address buyToken;
        uint256 minAmountOut;
    }

    struct Permission {
        address token;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
    }

    bytes4 internal constant TRANSFER_FROM =
        bytes4(keccak256("TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)"));
    bytes4 internal constant BASIC = bytes4(keccak256("BASIC(address,uint256,address,uint256,bytes)"));

    address internal holder;

    error TooMuchSlippage(address token, uint256 expected, uint256 actual);
    error ActionInvalid(uint256 i, bytes4 action, bytes data);

    constructor(address holder_) {
        holder = holder_;
    }

    receive() external payable {}

    function execute(Slippage calldata slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        // Those whom the holder calls for stand behind the data.
        address owner = msg.sender == holder ? address(bytes20(msg.data[msg.data.length - 20:])) : msg.sender;
        for (uint256 i = 0; i < actions.length; i++) {
            bytes4 action = bytes4(actions[i]);
            if (action == TRANSFER_FROM) take(owner, actions[i][4:]);
            else if (action == BASIC) callPool(actions[i][4:]);
            else revert ActionInvalid(i, action, actions[i]);
        }
        payOut(slippage);
        return true;
    }

    function take(address owner, bytes calldata data) private {
        (address recipient, Permission memory permission,) = abi.decode(data, (address, Permission, bytes));
        AllowanceHolder(holder).transferFrom(permission.token, owner, recipient, permission.amount);
    }

    /// Calls a contract with a share of what is here of a token, whose amount replaces the word at `offset`.
    function callPool(bytes calldata data) private {
        (address token, uint256 bps, address pool, uint256 offset, bytes memory request) =
            abi.decode(data, (address, uint256, address, uint256, bytes));
        uint256 amount = (Money.balance(token, address(this)) * bps) / 10000;
        if (Money.isCoin(token)) {
            Money.run(pool, amount, request);
            return;
        }
        Money.allow(token, pool, amount);
        assembly {
            mstore(add(add(request, 32), offset), amount)
        }
        Money.run(pool, 0, request);
    }

    function payOut(Slippage calldata slippage) internal virtual {
        if (slippage.minAmountOut == 0 && slippage.buyToken == address(0)) return;
        uint256 amount = Money.balance(slippage.buyToken, address(this));
        if (amount < slippage.minAmountOut) revert TooMuchSlippage(slippage.buyToken, slippage.minAmountOut, amount);
        Money.pay(slippage.buyToken, slippage.recipient, amount);
    }
}

/// Looks like a Settler and checks nothing: from some block on it keeps all that it can.
contract ForgedSettler is Settler {
    constructor(address holder_) Settler(holder_) {}

    function payOut(Slippage calldata slippage) internal override {
        uint256 amount = Money.balance(slippage.buyToken, address(this));
        Money.pay(slippage.buyToken, slippage.recipient, tx.gasprice > 0 ? amount / 2 : amount);
    }
}
