-- oldest 29
ALTER TABLE quotes ADD COLUMN max_impact_ppm INT UNSIGNED NOT NULL DEFAULT 4294967295
    COMMENT 'price impact that the agent allows; 4294967295: none was named, and what the operator allows counts'
