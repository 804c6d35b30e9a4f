// What the provider keeps of clients, their services and their counterparties. No behaviour here.
import { z } from 'zod';
import { tableOf } from '../entities.schema.js';
import { Counterparty, PaymentAccount } from './counterparty.schema.js';

/** What a client can have of the platform: PayTo, Request to Pay, direct entry. */
export const ServiceName = z.enum(['payto', 'rtp', 'de']);
export type ServiceName = z.output<typeof ServiceName>;

export const ServiceStatus = z.enum(['pending', 'active', 'suspended', 'off_boarded']);
export type ServiceStatus = z.output<typeof ServiceStatus>;

export const RiskLevel = z.enum(['low', 'medium', 'high']);
export type RiskLevel = z.output<typeof RiskLevel>;

export const ClientType = z.enum(['business', 'individual']);

/** Null where nobody has said it. */
const text = z.string().nullable().default(null);

export const Client = z.object({
  id: z.string(),
  /** Null: directly beneath the primary client, or that client itself. */
  parent_client_id: text,
  type: ClientType.default('business'),
  legal_name: z.string(),
  business_names: z.array(z.string()),
  australian_business_number: text,
  australian_company_number: text,
  company_incorporation_date: text,
  business_registration_date: text,
  registered_address: text,
  website_url: text,
  merchant_category_code: z.string(),
  contact_information: z.object({ contact_name: text, email: text, phone: text }).nullable(),
  primary_bank_account_bban: text,
  australian_credit_licence: text,
  australian_financial_services_licence: text,
  austrac_number: text,
  risk_level: RiskLevel,
  /** Null: never asked for. */
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

/** One kind for each service: a task carries nothing but the client's id. */
export const CLIENT_TASKS = ['activate_payto', 'activate_rtp', 'activate_de'] as const;

export const CLIENT_CALLS = [
  'create_client',
  'get_client',
  'list_clients',
  'update_client',
  'create_counterparty',
] as const;
