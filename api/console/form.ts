// Forms of the console: their fields as text, and where a person continues.
import type { Context } from 'hono';
import type { Env } from '../http/env.js';

export type Form = Readonly<Record<string, string>>;

/** The text fields of the form. Empty if the body is no form. */
export async function formIn(c: Context<Env>): Promise<Form> {
  const body = await c.req.parseBody().catch(() => ({}));
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Where the sign-in form returns to: only pages of the console. */
const RETURN = /^\/console(?:[/?][\w~.%?=&:/+-]*)?$/;
export const returnOf = (path: string | undefined): string =>
  path !== undefined && RETURN.test(path) && !path.includes('//') ? path : '/console';

/** Browsers keep a cookie that is `Secure` only over https, and on this machine. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;
export const isLoopback = (c: Context<Env>): boolean =>
  LOOPBACK.test(c.req.header('host') ?? new URL(c.req.url).host);
