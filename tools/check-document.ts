// `npm run check:document`: checks client/openapi.json with Redocly's recommended rules, and that the description of each
// operation and webhook has a verb beside the sentence about its permission. Exits with 1 if something is wrong.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import nlp from 'compromise';
import { z } from 'zod';

const FILE = fileURLToPath(new URL('../client/openapi.json', import.meta.url));

/** What Redocly may report, and why it is right here. An entry that it no longer reports is an error too. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['operation-2xx-response #/paths/~1oauth~1begin~1{ticket}/post/responses', 'it only redirects'],
  [
    'operation-4xx-response #/paths/~1healthz/get/responses',
    'a refused health check could restart the process',
  ],
]);

const Operation = z.object({ operationId: z.string(), description: z.string().default('') });
const Items = z.record(z.string(), z.record(z.string(), Operation));
const Document = z.object({ paths: Items, webhooks: Items });

const source = await readFile(FILE, 'utf8');
const problems = [...(await redoclyProblems()), ...descriptionsWithoutVerb()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function redoclyProblems(): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const reports = await lintFromString({ source, absoluteRef: FILE, config });
  const found = new Map<string, string>(
    reports.map(
      ({ ruleId, message, location: [at] }) => [`${ruleId} ${at?.pointer ?? ''}`, message] as const,
    ),
  );
  return [
    ...[...found].flatMap(([place, message]) => (EXCEPTIONS.has(place) ? [] : [`${place}: ${message}`])),
    ...[...EXCEPTIONS.keys()].flatMap((place) =>
      found.has(place) ? [] : [`${place}: no longer reported; remove it from tools/check-document.ts`],
    ),
  ];
}

function descriptionsWithoutVerb(): string[] {
  const { paths, webhooks } = Document.parse(JSON.parse(source));
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item),
  );
  return operations.flatMap(({ operationId, description }) =>
    hasVerb(description)
      ? []
      : [`${operationId}: write a description with its purpose, its effect and what to do next`],
  );
}

function hasVerb(description: string): boolean {
  const own = description.replace(/Requires (?:the scope|no API key)\b.*$/s, '').replaceAll(/`[^`]*`/g, 'It');
  return nlp(own).has('#Verb');
}
