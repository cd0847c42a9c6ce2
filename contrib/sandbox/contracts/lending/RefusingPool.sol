// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPoolActs {
    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referral) external;
    function withdraw(address asset, uint256 amount, address to) external;
    function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf) external;
    function repay(address asset, uint256 amount, uint256 mode, address onBehalfOf) external;
    function setUserUseReserveAsCollateral(address asset, bool enabled) external;
}

/// Refuses as newer versions of Aave's Pool do: by errors in place of strings with numbers. As the implementation of the
/// Pool's proxy it stands before the real one. An account with a refusal is refused every act, and reads as all others do.
contract RefusingPool {
    error InvalidAmount();
    error ReserveInactive();
    error ReserveFrozen();
    error ReservePaused();
    error BorrowingNotEnabled();
    error NotEnoughAvailableUserBalance();
    error InvalidInterestRateModeSelected();
    error CollateralBalanceIsZero();
    error HealthFactorLowerThanLiquidationThreshold();
    error CollateralCannotCoverNewBorrow();
    error NoDebtOfSelectedType();
    error UnderlyingBalanceZero();
    error BorrowCapExceeded();
    error SupplyCapExceeded();
    error LtvValidationFailed();
    error AssetNotListed();
    error UserHasAssetWithZeroLtv();
    error NotBorrowableInEMode();
    error MustNotLeaveDust();
    error SupplyToAToken();

    RefusingPool private immutable self = this;
    address private immutable implementation;
    mapping(address => bytes4) public refusals; // of this contract, not of the proxy that runs its code

    constructor(address implementation_) {
        implementation = implementation_;
    }

    /// By the selector of an error; 0: no more.
    function refuse(address account, bytes4 selector) external {
        refusals[account] = selector;
    }

    fallback() external {
        bytes4 refusal = isAct(msg.sig) ? self.refusals(msg.sender) : bytes4(0);
        address next = implementation;
        assembly {
            if refusal {
                mstore(0, refusal)
                revert(0, 4)
            }
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), next, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function isAct(bytes4 selector) private pure returns (bool) {
        return selector == IPoolActs.supply.selector || selector == IPoolActs.withdraw.selector
            || selector == IPoolActs.borrow.selector || selector == IPoolActs.repay.selector
            || selector == IPoolActs.setUserUseReserveAsCollateral.selector;
    }
}
