-- oldest 84
ALTER TABLE predict_accounts
    ADD KEY lease (lease_owner)
