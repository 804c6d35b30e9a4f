// The environment variables that define high-risk clients. The API and the worker share them.
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
      'comma-separated merchant category codes that the provider treats as high risk. Agreements of such a client need a verified payment account. Its counterparties need an identity and a verification of each account',
    ),
  PRIMARY_CLIENT_MCC: z
    .string()
    .regex(CATEGORY_CODE, CATEGORY_CODES)
    .optional()
    .describe('the merchant category code of the primary client, which the provider’s API does not return'),
};

/** The first version of the payments API with counterparties, which verified accounts need. */
const COUNTERPARTIES_SINCE = '20260901';

interface Variables {
  PAYMENTS_API_VERSION: string;
  HIGH_RISK_MCC: readonly string[];
  PRIMARY_CLIENT_MCC?: string | undefined;
}

/** No client is high risk on a version of the payments API that cannot verify accounts. */
export const highRiskOf = (config: Variables): HighRisk => ({
  codes: config.PAYMENTS_API_VERSION >= COUNTERPARTIES_SINCE ? config.HIGH_RISK_MCC : [],
  primary: config.PRIMARY_CLIENT_MCC,
});
