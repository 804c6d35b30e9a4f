// The settings of the product under measurement.

/** High rates and no bound, because all callers have one address. No sweep or audit starts on schedule. */
export const MEASURED_SETTINGS = {
  PAYMENTS_RATE_PER_SECOND: '1000',
  PAYMENTS_RATE_BURST: '1000',
  SWEEP_INTERVAL_HOURS: '168',
  AUDIT_INTERVAL_HOURS: '0',
  SETTLEMENT_INTERVAL_HOURS: '0',
  API_RATE_PER_KEY: '0',
  API_CONNECTIONS_PER_ADDRESS: '0',
};
