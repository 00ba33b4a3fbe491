// Where in the page we are: what stands after the '#', so that every view has an address.
function here(): string[] {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);
}

/** An address that somebody has mangled is taken as it is: it leads nowhere, but the page still says so. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = $state({ parts: here() });

addEventListener('hashchange', () => {
  route.parts = here();
});

/** The address of a view. */
export function address(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function go(...parts: string[]): void {
  location.hash = address(...parts);
}
