#include "api/endpoint/endpoint.h"

/* In lib/api, each in the file of its resource; those of MCP and A2A in lib/agentproto. */
extern const struct endpoint_group registration_endpoints, chains_endpoints, discovery_endpoints,
    tokens_endpoints, quotes_endpoints, build_endpoints, swaps_endpoints, commands_endpoints,
    wallets_endpoints, keys_endpoints, profile_endpoints, lifecycle_endpoints, webhooks_endpoints,
    prices_endpoints, portfolio_endpoints, simulations_endpoints, policies_endpoints, approvals_endpoints,
    webhook_recovery_endpoints, predict_endpoints, predict_account_endpoints, predict_orders_endpoints,
    metrics_endpoints, mcp_endpoints, a2a_endpoints, health_endpoints;

const struct endpoint_group *const endpoint_groups[] = {
    &registration_endpoints,
    &chains_endpoints,
    &discovery_endpoints,
    &tokens_endpoints,
    &quotes_endpoints,
    &build_endpoints,
    &swaps_endpoints,
    &commands_endpoints,
    &wallets_endpoints,
    &keys_endpoints,
    &profile_endpoints,
    &lifecycle_endpoints,
    &webhooks_endpoints,
    &predict_endpoints,
    &predict_account_endpoints,
    &predict_orders_endpoints,
    &prices_endpoints,
    &portfolio_endpoints,
    &simulations_endpoints,
    &policies_endpoints,
    &approvals_endpoints,
    &webhook_recovery_endpoints,
    &mcp_endpoints,
    &a2a_endpoints,
    &health_endpoints,
    &metrics_endpoints,
    NULL,
};
