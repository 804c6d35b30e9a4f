// Validates the rows of a batch. An invalid row is marked as refused, with its first faults.
import type { z } from 'zod';
import {
  AgreementOfBatch,
  IdentificationOfBatch,
  PaymentOfBatch,
  type CreateBatch,
  type IdentifyAgreements,
} from '../../../domain/batch/request.schema.js';
import type {
  AgreementRow,
  IdentificationRow,
  PaymentRow,
  RequestedRow,
  RowRefusal,
} from '../../../domain/batch/rows.js';
import { faultOfSubmitBefore, orderAndHandling } from '../../../domain/payment/handling.js';
import type { Intended } from '../../../payments-api/requests/intended.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { fieldProblemsOf } from '../../http/problems/validation.js';
import { faultsIn } from '../provider-check.js';

type Checking = Pick<ApiDependencies, 'providerVersion' | 'clock'>;
type Content = { uid: string };
/** A row that the caller sends. */
type SentRow = AgreementRow | PaymentRow | IdentificationRow;

export function requestedRow(checking: Checking, kind: CreateBatch['kind'], content: Content): RequestedRow {
  if (kind === 'agreements')
    return ofForm(checking, content, AgreementOfBatch, ({ uid, connection: _, payer, ...mandate }) => ({
      ...{ kind, uid, mandate },
      ...(payer !== undefined && { payer }),
    }));
  return ofForm(checking, content, PaymentOfBatch, ({ uid, ...requested }) => {
    const { order, handling } = orderAndHandling(requested);
    return { kind, uid, order, ...(handling !== undefined && { handling }) };
  });
}

/** @param all the defaults for rows without their own values. */
export function requestedIdentification(
  checking: Checking,
  all: Pick<IdentifyAgreements, 'initiator' | 'debtor'>,
  content: Content,
): RequestedRow {
  const requested = ofForm(checking, content, IdentificationOfBatch, (row) => {
    const { initiator = all.initiator, debtor = all.debtor } = row;
    return {
      ...{ kind: 'identifications', uid: row.uid },
      ask: { ...(initiator && { initiator }), ...(debtor && { debtor }) },
    };
  });
  const { row } = requested;
  if (row.kind !== 'identifications' || Object.keys(row.ask).length > 0) return requested;
  const detail =
    'expected initiator.client_id, debtor.payment_account_uid, or both, in the row or at the top level';
  return { row, refusals: [{ code: 'invalid_request', pointer: '', detail }] };
}

function ofForm<Schema extends z.ZodType>(
  checking: Checking,
  content: Content,
  schema: Schema,
  read: (row: z.output<Schema>) => SentRow,
): RequestedRow {
  const { data, error } = schema.safeParse(content);
  if (error === undefined) {
    const row = read(data);
    return { row, refusals: refusalsOf(checking, row) };
  }
  const refusals = fieldProblemsOf(error, 'json').map(({ pointer = '', detail }) => ({
    ...{ code: 'invalid_request', pointer, detail },
  }));
  return { row: { kind: 'refused', uid: content.uid, content }, refusals };
}

/** Why we would not send the row, or not before its deadline. */
function refusalsOf(checking: Checking, row: SentRow): RowRefusal[] {
  const faults = faultsIn(checking, intendedBy(row));
  const late =
    row.kind === 'payments'
      ? faultOfSubmitBefore(row.handling?.submitBefore, checking.clock.now())
      : undefined;
  if (late !== undefined) faults.push({ pointer: '/submit_before', detail: late });
  return faults.map((fault) => ({ code: 'provider_would_refuse', ...fault }));
}

/** The request to the provider for a row. */
function intendedBy(row: SentRow): Intended {
  switch (row.kind) {
    case 'agreements':
      return { operation: 'createAgreement', request: { uid: row.uid, ...row.mandate } };
    case 'payments':
      return { operation: 'createPayment', request: { uid: row.uid, ...row.order } };
    case 'identifications':
      return { operation: 'addIdentification', request: row.ask };
  }
}
