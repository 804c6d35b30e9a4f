// The variables that say which clients are of high risk, which the API and the worker read alike.
import { z } from 'zod';
import type { HighRisk } from './may-initiate.js';

const CATEGORY_CODE = /^\d{4}$/;
const CATEGORY_CODES = 'expected merchant category codes of 4 digits';

export const HIGH_RISK_VARIABLES = {
  HIGH_RISK_MCC: z
    .string()
    .default('')
    .transform((codes) => codes.split(',').flatMap((code) => code.trim() || []))
    .refine((codes) => codes.every((code) => CATEGORY_CODE.test(code)), CATEGORY_CODES)
    .describe(
      'the merchant category codes that the provider takes for high risk, comma-separated: agreements of a client with one need a verified payment account, and its counterparties an identity and a verification of each account',
    ),
  PRIMARY_CLIENT_MCC: z
    .string()
    .regex(CATEGORY_CODE, CATEGORY_CODES)
    .optional()
    .describe('the merchant category code of the primary client, which no answer of the provider’s names'),
};

/** The first version of the payments API that has counterparties, and so verified accounts. */
const COUNTERPARTIES_SINCE = '20260901';

interface Variables {
  PAYMENTS_API_VERSION: string;
  HIGH_RISK_MCC: readonly string[];
  PRIMARY_CLIENT_MCC?: string | undefined;
}

/** No client is of high risk on a version of the payments API on which no account can be verified. */
export const highRiskOf = (config: Variables): HighRisk => ({
  codes: config.PAYMENTS_API_VERSION >= COUNTERPARTIES_SINCE ? config.HIGH_RISK_MCC : [],
  primary: config.PRIMARY_CLIENT_MCC,
});
