// The service as the page sees it. Types are made of the OpenAPI file (`npm run types`).
import type { components } from './openapi';

export type Schemas = components['schemas'];
export type Catalog = Schemas['Catalog'];
export type Game = Schemas['Game'];
export type Board = Schemas['Board'];
export type Side = Schemas['Side'];
export type Replay = Schemas['Replay'];

/** What the service says is wrong, in a sentence for people. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function answered(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as { error?: string } | null;
  throw new Refusal(response.status, body?.error ?? `The server answered ${response.status}.`);
}

/** What is thrown where no answer comes, or only a part of one. */
function unanswered(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof Refusal || signal?.aborted) return error;
  return new Refusal(0, 'The server does not answer. Is `tesuji serve` still running?');
}

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const request: RequestInit = { method, headers };
  if (body !== undefined) request.body = JSON.stringify(body);
  if (signal) request.signal = signal;
  try {
    return await answered(await fetch(path, request));
  } catch (error) {
    throw unanswered(error, signal);
  }
}

/** Asks for JSON. */
export async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await ask(method, path, body);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw unanswered(error);
  }
}

/** One server-sent event. */
export interface Told {
  event: string;
  data: unknown;
}

/** Server-sent events as they come in, until the server ends them; abort the signal to end them before. */
export async function* events(method: string, path: string, body: unknown, signal: AbortSignal): AsyncGenerator<Told> {
  const response = await ask(method, path, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      // The connection may break while events come in, and that is no other thing than getting none.
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw unanswered(error, signal);
      });
      if (done) return;
      rest += value;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const told = parsed(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (told) yield told;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parsed(block: string): Told | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return data.length === 0 ? null : { event, data: JSON.parse(data.join('\n')) as unknown };
}
