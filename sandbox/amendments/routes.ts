// POST and GET A/amendment, and A/amendment/recall.
import { z } from 'zod';
import { scriptFor } from '../agreements/actions.js';
import { UNANSWERED_MS } from '../agreements/rules.js';
import { type OfAgreement, runningAmendment, findAgreement } from '../agreements/states.js';
import { operation, type Registration } from '../calls/operation.js';
import { notFound, refuseByCode, refuseInDetail } from '../http/refusal.js';
import { parseInVersion } from '../http/request.js';
import { resourceUrl } from '../http/responses.js';
import { sandboxScript } from '../http/wire.schema.js';
import { SIMULATIONS } from '../store/action.schema.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Amendment } from '../store/amendment.schema.js';
import { beginAmendment, beginRecall } from './life.js';
import { amendAgreementSchema } from './request.schema.js';
import { checkAmendment } from './rules.js';

// POST A/amendment: answers 202 at once; all other changes follow later.
const amendAgreement = operation(
  {
    name: 'amend_agreement',
    method: 'POST',
    path: '/payto/agreements/:uid/amendment',
    scope: 'pay_to_amendments',
  },
  ({ uid, body, version }, engine) => {
    const request = parseInVersion(amendAgreementSchema(version), body, version);
    const agreement = findAgreement(engine, uid);
    checkAmendment(engine, agreement, request);
    const { clock } = engine;
    // If the payer is scripted to ignore the agreement, it also ignores amendments.
    const usual = agreement.script.simulate === 'ignore' ? 'ignore' : 'debtor_accept';
    const amendment: Amendment = {
      changes: request.changes,
      resolution_requested_before:
        request.resolution_requested_before ?? new Date(clock.now() + UNANSWERED_MS).toISOString(),
      state: 'pending',
      actor: 'initiator',
      failure: null,
      created_at: clock.iso(),
      recall: null,
      ...scriptFor(engine, agreement, { action: 'amendment', asked: request.sandbox, usual }),
    };
    beginAmendment(engine, { agreement, amendment });
    return { status: 202, body: null };
  },
);

// The wire format of an amendment (docs/provider.md#amendments).
function formatAmendment({ agreement, amendment }: OfAgreement, baseUrl: string) {
  return {
    agreement_uid: agreement.uid,
    changes: amendment.changes,
    resolution_requested_before: amendment.resolution_requested_before,
    state: amendment.state,
    actor: amendment.actor,
    failure: amendment.failure,
    created_at: amendment.created_at,
    links: { agreement: resourceUrl(baseUrl, 'payto_agreement', agreement.uid) },
  };
}

// GET A/amendment: the amendment in progress, or 404. Only an event reports the outcome of a finished one.
const getAmendment = operation(
  {
    name: 'get_amendment',
    method: 'GET',
    path: '/payto/agreements/:uid/amendment',
    scope: 'pay_to_amendments',
  },
  ({ uid }, engine) => {
    const agreement = findAgreement(engine, uid);
    const amendment = runningAmendment(agreement);
    if (amendment === undefined) {
      throw notFound(`No amendment of agreement ${uid} is in progress`);
    }
    return {
      status: 200,
      body: { data: formatAmendment({ agreement, amendment }, engine.settings.baseUrl) },
    };
  },
);

const Body = z.strictObject({
  sandbox: sandboxScript(z.enum(SIMULATIONS.recall.documented)).optional(),
});

// POST A/amendment/recall: answers 202 at once. An event reports whether the recall or the payer's decision was first.
const recallAmendment = operation(
  {
    name: 'recall_amendment',
    method: 'POST',
    path: '/payto/agreements/:uid/amendment/recall',
    scope: 'pay_to_amendment_recalls',
  },
  ({ uid, body, version }, engine) => {
    const { sandbox } = parseInVersion(Body, body, version, 400);
    const agreement = engine.store.agreements.get(uid);
    // Documented: this call never answers 404.
    if (agreement === undefined) throw refuseByCode('ZPARE02', uid);
    const amendment = recallable(agreement);
    const script = scriptFor(engine, agreement, {
      action: 'recall',
      asked: sandbox,
      usual: 'successful_recall',
    });
    beginRecall(engine, { agreement, amendment }, script);
    return { status: 202, body: null };
  },
);

/** A finished amendment is refused by its state and not as missing, so that the caller learns that the recall was too late. */
function recallable({ uid, amendments }: Agreement): Amendment {
  const amendment = amendments.at(-1);
  if (amendment === undefined) throw refuseByCode('ZPARE02', uid);
  const { state, recall } = amendment;
  if (recall !== null) {
    throw refuseByCode('ZPARE01', uid);
  }
  if (state === 'created') return amendment;
  throw refuseInDetail('ZPARE00', `Amendment is not recallable while in the '${state}' state`, uid);
}

export const AMENDMENT_ROUTES: readonly Registration[] = [amendAgreement, getAmendment, recallAmendment];
