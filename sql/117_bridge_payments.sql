-- oldest 84
ALTER TABLE bridges ADD KEY paid (out_tx)
