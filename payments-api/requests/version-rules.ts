// Fields that an API version of the provider removes, does not support yet, or requires (docs/provider.md#versions). We
// refuse them before sending. When the provider changes a field, add or change one row.
import { isObject } from '../answers/values.js';
import { valueAt, type RequestFault } from './fault.js';

interface Rule {
  operation: string;
  /** The place of the field, as in `initiator.abn`. Without it, the rule covers the whole operation. */
  field: string | undefined;
  /** The first version, 8 digits, that rejects it. */
  removedIn?: string;
  /** The first version that accepts it. */
  introducedIn?: string;
  useInstead: string;
}

const CLIENT_VERSION = '20260901';
const ACCOUNT = 'the account_identifier itself';

const removed = (operation: string, field: string, useInstead: string): Rule => ({
  operation,
  field,
  removedIn: CLIENT_VERSION,
  useInstead,
});
const introduced = (operation: string, field: string | undefined, useInstead: string): Rule => ({
  operation,
  field,
  introducedIn: CLIENT_VERSION,
  useInstead,
});
const BY_CLIENT = 'initiator.client_id (and initiator.name, as registered on that client)';

const RULES: readonly Rule[] = [
  removed('createAgreement', 'initiator.abn', BY_CLIENT),
  removed('createAgreement', 'initiator.acn', BY_CLIENT),
  removed('createAgreement', 'initiator.legal_name', BY_CLIENT),
  introduced('createAgreement', 'initiator.client_id', 'exactly one of initiator.abn and initiator.acn'),
  introduced('createAgreement', 'debtor.payment_account_uid', ACCOUNT),
  introduced('createAgreement', 'creditor.payment_account_uid', ACCOUNT),
  removed('proposeAmendment', 'changes.initiator', 'addIdentification, or a new agreement'),
  introduced('proposeAmendment', 'changes.creditor.payment_account_uid', ACCOUNT),
  removed('createClient', 'risk_level', 'merchant_category_code, from which it is derived'),
  introduced('createClient', 'parent_client_id', 'no parent, which places it below the primary client,'),
  introduced('addIdentification', undefined, 'a new agreement with the initiator’s abn or acn'),
  introduced('createCounterparty', undefined, 'the account_identifier of the party, in the agreement'),
];

/** Fields required only before client_id; `of` is the object that contains them, if it is present. */
const REQUIRED_BEFORE: readonly { operation: string; of: string[]; fields: string[] }[] = [
  { operation: 'createAgreement', of: ['initiator'], fields: ['name', 'legal_name'] },
  { operation: 'createClient', of: [], fields: ['risk_level'] },
];

/** Before client_id, an initiator had exactly one of these (ZPAGR18). */
const ONE_OF = { operation: 'createAgreement', names: ['abn', 'acn'] } as const;

/** The reasons for which this API version would refuse the request: each field, with its replacement. */
export function versionFaults(operation: string, request: object, version: string): RequestFault[] {
  const broken = RULES.filter((rule) => rule.operation === operation && isBroken(rule, request, version));
  const faults = broken.map((rule) => faultOf(rule, version));
  if (faults.length > 0 || version >= CLIENT_VERSION) return faults;
  return [...requiredFaults(operation, request, version), ...initiatorFaults(operation, request, version)];
}

function requiredFaults(operation: string, request: object, version: string): RequestFault[] {
  return REQUIRED_BEFORE.filter((rule) => rule.operation === operation).flatMap(({ of, fields }) => {
    const owner = of.length === 0 ? request : valueAt(request, of);
    if (!isObject(owner)) return [];
    return fields
      .filter((field) => owner[field] === undefined || owner[field] === null)
      .map((field) => ({
        path: [...of, field],
        code: 'version',
        detail: `expected a value on version ${version} (required before ${CLIENT_VERSION}); found none. Add one`,
      }));
  });
}

const pathOf = (field: string | undefined): string[] => field?.split('.') ?? [];

function isBroken(rule: Rule, request: object, version: string): boolean {
  const isGone = rule.removedIn !== undefined && version >= rule.removedIn;
  const isToCome = rule.introducedIn !== undefined && version < rule.introducedIn;
  const isThere = rule.field === undefined || valueAt(request, pathOf(rule.field)) !== undefined;
  return (isGone || isToCome) && isThere;
}

function faultOf({ field, removedIn, introducedIn, useInstead }: Rule, version: string): RequestFault {
  const since = removedIn === undefined ? `supported from ${introducedIn} on` : `removed in ${removedIn}`;
  const what = field === undefined ? 'no such call' : `no ${field}`;
  const detail = `expected ${what} on version ${version} (${since}); found one. Use ${useInstead} instead`;
  return { path: pathOf(field), code: 'version', detail };
}

function initiatorFaults(operation: string, request: object, version: string): RequestFault[] {
  const initiator = valueAt(request, ['initiator']);
  if (operation !== ONE_OF.operation || !isObject(initiator)) return [];
  const given = ONE_OF.names.filter((name) => initiator[name] !== undefined && initiator[name] !== null);
  if (given.length === 1) return [];
  const names = ONE_OF.names.map((name) => `initiator.${name}`).join(' and ');
  const detail = `expected exactly one of ${names} on version ${version}; found ${given.length}. Send one, or omit the initiator`;
  return [{ path: ['initiator'], code: 'version', detail }];
}
