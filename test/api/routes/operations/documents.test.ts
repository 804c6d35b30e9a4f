import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PAGE_NAMES } from '../../../../api/routes/operations/pages.js';
import { anApi } from '../../../support/api/app.js';
import { sharedParts } from '../../../../api/routes/operations/shared-parts.js';

const { app } = anApi();
const textOf = async (path: string): Promise<string> => (await app.request(path)).text();

test('every page of docs/ is served as Markdown and as HTML, and /llms.txt lists it with a sentence', async () => {
  const files = await readdir(new URL('../../../../docs', import.meta.url));
  const names = files.flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
  expect([...PAGE_NAMES].sort()).toEqual([...names, 'client'].sort());
  const index = await textOf('/llms.txt');
  for (const name of PAGE_NAMES) {
    expect(index).toMatch(new RegExp(String.raw`^- \[[^\]]+\]\(/docs/${name}\.md\): [^\n]+\.$`, 'm'));
    const markdown = await app.request(`/docs/${name}.md`);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const [, title = ''] = /^# (.+)$/m.exec(await markdown.text()) ?? [];
    expect(await textOf(`/docs/${name}`)).toContain(
      `<title>${title.replaceAll("'", '&#39;')} – PayTo agreements</title>`,
    );
  }
});

test('links of a page lead to pages, sections and operations that this API serves', async () => {
  for (const name of PAGE_NAMES) {
    const targets = [...(await textOf(`/docs/${name}`)).matchAll(/href="(?<target>[^"]+)"/g)];
    for (const [, target = ''] of targets) {
      if (/^(?:https?|data|mailto):/.test(target)) continue;
      const { pathname, hash } = new URL(target, `http://api/docs/${name}`);
      const answer = await app.request(pathname);
      expect(answer.status, `${name}: ${target}`).toBe(200);
      if (hash !== '') expect(await answer.text(), `${name}: ${target}`).toContain(`id="${hash.slice(1)}"`);
    }
    expect(await textOf(`/docs/${name}.md`)).not.toMatch(/\]\((?!https?:|#|\/docs\/[a-z]+\.md)/);
  }
});

test('a page loads nothing, and markup in code is text', async () => {
  const page = await app.request('/docs/events');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(await textOf('/docs/operating')).not.toMatch(/<script|<code><[a-z]/);
  expect((await app.request('/docs/nothing')).status).toBe(404);
});

const problem = { description: 'No.', content: { 'application/problem+json': {} } };
const aParameter = (maximum: number) => ({
  ...{ name: 'per_page', in: 'query' as const, description: 'At most.' },
  schema: { type: 'integer' as const, maximum, description: 'At most.' },
});
const aDocument = (...maxima: number[]) => ({
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: Object.fromEntries(
    maxima.map((maximum, n) => [
      `/${n}`,
      {
        get: { parameters: [aParameter(maximum)], responses: { 200: { description: 'Yes.' }, 400: problem } },
      },
    ]),
  ),
});

test('parameters that operations repeat, and problems, are written once', () => {
  const { paths, components } = sharedParts(aDocument(100, 100, 7));
  const shared = { $ref: '#/components/parameters/PerPageParameter' };
  const { description: _, ...schema } = aParameter(100).schema;
  expect(components).toMatchObject({
    parameters: { PerPageParameter: { ...aParameter(100), schema } },
    responses: { BadRequest: problem },
  });
  expect(Object.values(paths ?? {}).map(({ get }) => get?.parameters?.[0])).toEqual([
    shared,
    shared,
    expect.objectContaining({ name: 'per_page', schema: { type: 'integer', maximum: 7 } }),
  ]);
  expect(paths?.['/0']?.get?.responses).toEqual({
    200: { description: 'Yes.' },
    400: { $ref: '#/components/responses/BadRequest' },
  });
});

test('two different shared parameters must have different names', () => {
  expect(() => sharedParts(aDocument(100, 100, 7, 7))).toThrow('have the name PerPageParameter');
});
