import { signal } from '@preact/signals';

/** The view of the page, from its address `#/KEY/VIEW/ID?q=…`. */
export interface Route {
  readonly project?: string;
  readonly view: string;
  readonly id?: string;
  readonly query: URLSearchParams;
}

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [project, view, ...id] = path.split('/').map(decode);
  return {
    ...(project !== undefined && project !== '' && { project }),
    view: view === undefined || view === '' ? 'home' : view,
    ...(id.length > 0 && { id: id.join('/') }),
    query: new URLSearchParams(query),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Keys in place of a project: the user's own memory, and all memories together. */
export const USER = '~user';
export const ALL = '~all';

let address = location.hash;
export const route = signal<Route>(parse(address));

/** Updates the route if the address has changed. */
function follow(): void {
  if (location.hash === address) return;
  address = location.hash;
  route.value = parse(address);
}

export function followAddress(): void {
  follow();
  addEventListener('hashchange', follow);
}

type Query = Readonly<Record<string, string | undefined>>;

/** The address of a view; slashes in an id stay readable. */
export function linkTo(project: string, view = 'home', id?: string, query: Query = {}): string {
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const path = [project, ...(view === 'home' && id === undefined ? [] : [view]), ...(id === undefined ? [] : id.split('/'))].map(encodeURIComponent).join('/');
  return `#/${path}${parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`}`;
}

/** Search over every project. */
export const ALL_SEARCH = linkTo(USER, 'search', undefined, { all: '1' });

/** Goes to an address at once, because the next key may be pressed before `hashchange`. */
export function go(to: string): void {
  location.hash = to;
  follow();
}

/** Changes the address without a step in the history: for filters and typed text. */
export function replaceQuery(query: Query): void {
  const { project, view, id } = route.value;
  history.replaceState(null, '', linkTo(project ?? '', view, id, query));
  follow();
}
