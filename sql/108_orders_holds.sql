-- oldest 84
-- Orders that ended without a match hold nothing: the index alone tells which they are.
ALTER TABLE orders
    DROP KEY wallet_holds,
    ADD KEY wallet_holds (wallet_id, final, updated_at, matched)
