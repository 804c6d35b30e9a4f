// The provider's records of clients, their services and their counterparties. Data only.
import { z } from 'zod';
import { AccountIdentifier, tableOf } from './entities.schema.js';

const VerificationMethod = z.enum(['account_validation', 'alias_resolution', 'third_party_provider']);

export const Verification = z.object({
  method: VerificationMethod,
  provider_name: z.string().nullable(),
  reference: z.string().nullable(),
  verified_at: z.string().nullable(),
});
export type Verification = z.output<typeof Verification>;

export const Counterparty = z.object({
  id: z.string(),
  created_at: z.string(),
  identity: z.object({ legal_name: z.string(), verification: Verification }).nullable(),
  /** In the order of the request. */
  payment_account_uids: z.array(z.string()),
});
export type Counterparty = z.output<typeof Counterparty>;

export const PaymentAccount = z.object({
  uid: z.string(),
  counterparty_id: z.string(),
  account_identifier: AccountIdentifier,
  verification: Verification.nullable(),
});
export type PaymentAccount = z.output<typeof PaymentAccount>;

/** The services of a client: PayTo, Request to Pay and direct entry. */
export const ServiceName = z.enum(['payto', 'rtp', 'de']);
export type ServiceName = z.output<typeof ServiceName>;

export const ServiceStatus = z.enum(['pending', 'active', 'suspended', 'off_boarded']);
export type ServiceStatus = z.output<typeof ServiceStatus>;

export const RiskLevel = z.enum(['low', 'medium', 'high']);
export type RiskLevel = z.output<typeof RiskLevel>;

export const ClientType = z.enum(['business', 'individual']);

/** Null if it was not given. */
const text = z.string().nullable().default(null);

export const Client = z.object({
  id: z.string(),
  /** Null for the primary client and for clients directly below it. */
  parent_client_id: text,
  type: ClientType.default('business'),
  legal_name: z.string(),
  business_names: z.array(z.string()),
  australian_business_number: text,
  australian_company_number: text,
  company_incorporation_date: text,
  business_registration_date: text,
  registered_address: z.string(),
  website_url: text,
  merchant_category_code: z.string(),
  contact_information: z.object({ contact_name: text, email: text, phone: text }),
  primary_bank_account_bban: text,
  australian_credit_licence: text,
  australian_financial_services_licence: text,
  austrac_number: text,
  risk_level: RiskLevel,
  /** Null if the service was never requested. */
  services: z.object({
    payto: ServiceStatus.nullable(),
    rtp: ServiceStatus.nullable(),
    de: ServiceStatus.nullable(),
  }),
});
export type Client = z.output<typeof Client>;

export const CLIENT_TABLES = {
  clients: tableOf(Client),
  counterparties: tableOf(Counterparty),
  paymentAccounts: tableOf(PaymentAccount),
};

/** One kind per service, because a task contains only the client's id. */
export const CLIENT_TASKS = ['activate_payto', 'activate_rtp', 'activate_de'] as const;
