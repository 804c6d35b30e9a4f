import { pressContinue } from '../../cli/api/consent.js';

export interface WayBack {
  url: string;
  cookie: string;
}

export async function allowedBy(page: URL, consenter = 'biller'): Promise<string> {
  const form = new URLSearchParams([...page.searchParams, ['decision', 'allow'], ['consenter', consenter]]);
  const target = `${page.origin}${page.pathname}`;
  const decided = await fetch(target, { method: 'POST', body: form, redirect: 'manual' });
  return decided.headers.get('location') ?? '';
}

export async function allowedAt(link: string, consenter?: string): Promise<WayBack> {
  const { page, cookie } = await pressContinue(new URL(link));
  return { url: await allowedBy(page, consenter), cookie };
}

export async function consentAt(link: string, consenter?: string): Promise<Response> {
  const { url, cookie } = await allowedAt(link, consenter);
  return fetch(url, { headers: { cookie } });
}
