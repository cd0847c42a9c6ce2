// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Money.sol";

/// Stands in for the six swaps of LI.FI's diamond. What they may call is on a white list; what is here of the bought
/// token afterwards goes to the receiver.
contract LiFiSwaps {
    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }

    mapping(bytes32 => bool) internal allowed;

    error ContractCallNotAllowed();
    error CumulativeSlippageTooHigh(uint256 minAmount, uint256 receivedAmount);
    error InvalidReceiver();
    error InvalidAmount();

    event LiFiGenericSwapCompleted(
        bytes32 indexed transactionId,
        string integrator,
        string referrer,
        address receiver,
        address fromAssetId,
        address toAssetId,
        uint256 fromAmount,
        uint256 toAmount
    );

    constructor(address[] memory targets, bytes4[] memory selectors) {
        for (uint256 t = 0; t < targets.length; t++)
            for (uint256 i = 0; i < selectors.length; i++) allowed[permission(targets[t], selectors[i])] = true;
    }

    receive() external payable {}

    function swapTokensSingleV3ERC20ToERC20(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData calldata data
    ) external {
        Money.pull(data.sendingAssetId, msg.sender, address(this), data.fromAmount);
        step(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, data.sendingAssetId, data.receivingAssetId, data.fromAmount);
    }

    function swapTokensSingleV3ERC20ToNative(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData calldata data
    ) external {
        Money.pull(data.sendingAssetId, msg.sender, address(this), data.fromAmount);
        step(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, data.sendingAssetId, address(0), data.fromAmount);
    }

    function swapTokensSingleV3NativeToERC20(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData calldata data
    ) external payable {
        step(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, address(0), data.receivingAssetId, data.fromAmount);
    }

    function swapTokensMultipleV3ERC20ToERC20(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData[] calldata data
    ) external {
        Money.pull(data[0].sendingAssetId, msg.sender, address(this), data[0].fromAmount);
        address bought = steps(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, data[0].sendingAssetId, bought, data[0].fromAmount);
    }

    function swapTokensMultipleV3ERC20ToNative(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData[] calldata data
    ) external {
        Money.pull(data[0].sendingAssetId, msg.sender, address(this), data[0].fromAmount);
        steps(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, data[0].sendingAssetId, address(0), data[0].fromAmount);
    }

    function swapTokensMultipleV3NativeToERC20(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address payable receiver,
        uint256 minAmountOut,
        SwapData[] calldata data
    ) external payable {
        address bought = steps(data);
        deliver(id, integrator, referrer, receiver, minAmountOut, address(0), bought, data[0].fromAmount);
    }

    function steps(SwapData[] calldata data) internal returns (address bought) {
        for (uint256 i = 0; i < data.length; i++) step(data[i]);
        return data[data.length - 1].receivingAssetId;
    }

    function step(SwapData calldata data) internal {
        if (!allowed[permission(data.callTo, bytes4(data.callData))]) revert ContractCallNotAllowed();
        if (data.fromAmount == 0) revert InvalidAmount();
        bool isCoin = Money.isCoin(data.sendingAssetId);
        if (!isCoin) Money.allow(data.sendingAssetId, data.approveTo, data.fromAmount);
        Money.run(data.callTo, isCoin ? data.fromAmount : 0, data.callData);
    }

    function deliver(
        bytes32 id,
        string calldata integrator,
        string calldata referrer,
        address receiver,
        uint256 minimum,
        address sold,
        address bought,
        uint256 amount
    ) private {
        if (receiver == address(0)) revert InvalidReceiver();
        uint256 out = Money.balance(bought, address(this));
        if (out < minimum) revert CumulativeSlippageTooHigh(minimum, out);
        Money.pay(bought, receiver, out);
        emit LiFiGenericSwapCompleted(id, integrator, referrer, receiver, sold, bought, amount, out);
    }

    function permission(address target, bytes4 selector) private pure returns (bytes32) {
        return keccak256(abi.encode(target, selector));
    }
}

/// Stands in for LI.FI's diamond with its facets for Across V4, Celer Circle CCTP and
/// Polymer CCTP. What is bridged is taken into
/// custody; the events say what the solver has to do.
contract LiFi is LiFiSwaps {
    struct BridgeData {
        bytes32 transactionId;
        string bridge;
        string integrator;
        address referrer;
        address sendingAssetId;
        address receiver;
        uint256 minAmount;
        uint256 destinationChainId;
        bool hasSourceSwaps;
        bool hasDestinationCall;
    }

    struct AcrossV4Data {
        bytes32 receiverAddress;
        bytes32 refundAddress;
        bytes32 sendingAssetId;
        bytes32 receivingAssetId;
        uint256 outputAmount;
        uint128 outputAmountMultiplier;
        bytes32 exclusiveRelayer;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityParameter;
        bytes message;
    }

    struct CelerCircleBridgeData {
        uint256 maxFee;
        uint32 minFinalityThreshold;
    }

    struct PolymerCCTPData {
        uint256 polymerTokenFee;
        uint256 maxCCTPFee;
        bytes32 nonEVMReceiver;
        bytes32 solanaReceiverATA;
        uint32 minFinalityThreshold;
        address refundRecipient;
        bytes hookData;
    }

    address internal custody; // where deposits go
    address internal dollars; // USDC, which alone is bridged by CCTP

    error InformationMismatch();
    error CannotBridgeToSameNetwork();

    event LiFiTransferStarted(BridgeData bridgeData);
    /// As a receiver: it stands in the bridge's own data, since it is of no EVM chain.
    address private constant NOT_EVM = 0x11f111f111f111F111f111f111F111f111f111F1;

    event AcrossDeposited(bytes32 indexed transactionId, uint256 amount, uint256 outputAmount, AcrossV4Data data);
    event CctpBurned(bytes32 indexed transactionId, address indexed sender, uint256 amount, CelerCircleBridgeData data);

    constructor(address[] memory targets, bytes4[] memory selectors, address custody_, address dollars_)
        LiFiSwaps(targets, selectors)
    {
        custody = custody_;
        dollars = dollars_;
    }

    function startBridgeTokensViaAcrossV4(BridgeData calldata bridge, AcrossV4Data calldata data) external payable {
        check(bridge, false);
        receiveInput(bridge.sendingAssetId, bridge.minAmount);
        depositAcross(bridge, bridge.minAmount, data.outputAmount, data);
    }

    function swapAndStartBridgeTokensViaAcrossV4(
        BridgeData calldata bridge,
        SwapData[] calldata swaps,
        AcrossV4Data calldata data
    ) external payable {
        check(bridge, true);
        uint256 amount = swapFirst(bridge, swaps);
        depositAcross(bridge, amount, (amount * data.outputAmountMultiplier) / 1e18, data);
    }

    function startBridgeTokensViaCelerCircleBridge(BridgeData calldata bridge, CelerCircleBridgeData calldata data)
        external
        payable
    {
        check(bridge, false);
        receiveInput(bridge.sendingAssetId, bridge.minAmount);
        burnCctp(bridge, bridge.minAmount, data);
    }

    function swapAndStartBridgeTokensViaCelerCircleBridge(
        BridgeData calldata bridge,
        SwapData[] calldata swaps,
        CelerCircleBridgeData calldata data
    ) external payable {
        check(bridge, true);
        burnCctp(bridge, swapFirst(bridge, swaps), data);
    }

    function startBridgeTokensViaPolymerCCTP(BridgeData calldata bridge, PolymerCCTPData calldata data) external {
        check(bridge, false);
        receiveInput(bridge.sendingAssetId, bridge.minAmount);
        burnPolymer(bridge, bridge.minAmount, data);
    }

    function swapAndStartBridgeTokensViaPolymerCCTP(
        BridgeData calldata bridge,
        SwapData[] calldata swaps,
        PolymerCCTPData calldata data
    ) external payable {
        check(bridge, true);
        burnPolymer(bridge, swapFirst(bridge, swaps), data);
    }

    function burnPolymer(BridgeData calldata bridge, uint256 amount, PolymerCCTPData calldata data) private {
        if (data.hookData.length > 0 || bridge.sendingAssetId != dollars) revert InformationMismatch();
        Money.pay(dollars, custody, amount);
        emit CctpBurned(
            bridge.transactionId,
            msg.sender,
            amount - data.polymerTokenFee,
            CelerCircleBridgeData(data.maxCCTPFee, data.minFinalityThreshold)
        );
        emit LiFiTransferStarted(bridge);
    }

    function check(BridgeData calldata bridge, bool swaps) private view {
        if (bridge.receiver == address(0)) revert InvalidReceiver();
        if (bridge.minAmount == 0) revert InvalidAmount();
        if (bridge.destinationChainId == block.chainid) revert CannotBridgeToSameNetwork();
        if (bridge.hasSourceSwaps != swaps || bridge.hasDestinationCall) revert InformationMismatch();
    }

    function receiveInput(address token, uint256 amount) private {
        if (!Money.isCoin(token)) Money.pull(token, msg.sender, address(this), amount);
        else if (msg.value < amount) revert InvalidAmount();
    }

    function swapFirst(BridgeData calldata bridge, SwapData[] calldata swaps) private returns (uint256 amount) {
        receiveInput(swaps[0].sendingAssetId, swaps[0].fromAmount);
        steps(swaps);
        amount = Money.balance(bridge.sendingAssetId, address(this));
        if (amount < bridge.minAmount) revert CumulativeSlippageTooHigh(bridge.minAmount, amount);
    }

    function depositAcross(BridgeData calldata bridge, uint256 amount, uint256 out, AcrossV4Data calldata data) private {
        if (data.message.length > 0) revert InformationMismatch();
        if (data.receiverAddress == 0) revert InvalidReceiver();
        bool same = data.receiverAddress == bytes32(uint256(uint160(bridge.receiver)));
        if (!same && bridge.receiver != NOT_EVM) revert InformationMismatch();
        Money.pay(bridge.sendingAssetId, custody, amount);
        emit AcrossDeposited(bridge.transactionId, amount, out, data);
        emit LiFiTransferStarted(bridge);
    }

    function burnCctp(BridgeData calldata bridge, uint256 amount, CelerCircleBridgeData calldata data) private {
        if (bridge.sendingAssetId != dollars) revert InformationMismatch();
        Money.pay(dollars, custody, amount);
        emit CctpBurned(bridge.transactionId, msg.sender, amount, data);
        emit LiFiTransferStarted(bridge);
    }
}
