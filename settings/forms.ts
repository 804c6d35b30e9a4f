// The forms of variables that several processes share.
import { z } from 'zod';

export const required = (what: string) => z.string({ error: `expected ${what}` });

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'expected a port, 0 to 65535');

/** Plain http is judged by settings/unsafe.ts. */
export const httpUrl = (what = 'an http or https URL') =>
  z
    .url({ protocol: /^https?$/, error: `expected ${what}` })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

/** Either on or off. */
export const onOff = z.enum(['on', 'off'], 'expected on or off');

/** The API checks the URLs of endpoints, and the worker each address that it connects to. */
export const WEBHOOK_PRIVATE_ADDRESSES = z
  .enum(['allow', 'refuse'], 'expected allow or refuse')
  .default('refuse')
  .describe(
    'whether webhook endpoints may use http, and private, loopback and reserved addresses. Set the same for both; `allow` is only for development',
  );

/** Whether the sandbox's settings are allowed (settings/unsafe.ts). */
export const INSECURE_SANDBOX = onOff
  .default('off')
  .describe(
    '`on` allows unencrypted connections to other hosts, the secrets that are published for the sandbox, and one key in two variables. Never set it where money moves',
  );

/** Hosts of Temporal and PostgreSQL that need no TLS (settings/unsafe.ts). */
export const ALLOW_PLAINTEXT_TO = z
  .string()
  .regex(
    /^[\w.:[\]-]+( *, *[\w.:[\]-]+)*$/,
    'expected names of hosts, comma-separated, such as postgres,temporal',
  )
  .optional()
  .describe(
    'the hosts of Temporal and PostgreSQL that the processes may reach without TLS, comma-separated: only in a private network whose traffic others cannot read. This machine needs no entry',
  );

/** Reports a parser's error as a zod issue. Parsers state what they expected and never quote the value. */
export function parsed<T>(parse: (text: string) => T) {
  return (text: string, context: z.RefinementCtx<string>): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : 'expected a valid value',
      });
      return z.NEVER;
    }
  };
}
