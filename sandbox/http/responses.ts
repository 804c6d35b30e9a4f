// Sends answers and refusals, and builds the URLs of resources.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Refusal } from './refusal.js';

export interface Env {
  Bindings: HttpBindings;
}
export type Router = Hono<Env>;
export type RequestContext = Context<Env>;

/** The answer of a successful call. */
export interface RealAnswer {
  status: 200 | 201 | 202;
  /** Empty for no body, as in most 202 answers. */
  text: string;
  headers: Record<string, string>;
}

export function jsonAnswer(status: RealAnswer['status'], body: object | null, headers = {}): RealAnswer {
  if (body === null) return { status, text: '', headers };
  return { status, text: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}

export function realResponse(c: RequestContext, { status, text, headers }: RealAnswer): Response {
  return text === '' ? c.body(null, status, headers) : c.body(text, status, headers);
}

/** @param beside fields that the operation adds beside the errors. */
export function refusalResponse(c: RequestContext, refusal: Refusal, beside: object = {}): Response {
  const { status, errors: items, headers, data, sentence } = refusal;
  const errors = sentence ?? items;
  if (errors.length === 0) return c.body(null, status, headers);
  return c.json({ ...beside, errors, ...(data === undefined ? {} : { data }) }, status, headers);
}

const COLLECTION = {
  payto_agreement: 'agreements',
  payto_payment: 'payments',
  payto_refund: 'refunds',
} as const;

export function resourceUrl(baseUrl: string, type: keyof typeof COLLECTION, uid: string): string {
  return `${baseUrl}/payto/${COLLECTION[type]}/${uid}`;
}
