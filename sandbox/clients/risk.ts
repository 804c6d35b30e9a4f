// How risky a client is taken to be, by what it does.
import type { RiskLevel } from './client.schema.js';

/** The provider derives the risk from the code but does not publish how (interface 2.8); these two are our reading. */
const HIGH_RISK_CODES: readonly string[] = [
  '7995', // gambling
  '6051', // quasi-cash, digital currencies
];

export function riskOf(merchantCategoryCode: string): RiskLevel {
  return HIGH_RISK_CODES.includes(merchantCategoryCode) ? 'high' : 'low';
}
