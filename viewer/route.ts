import { signal } from '@preact/signals';

/** Where the page is: `#/KEY/VIEW/ID?q=…`. */
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

export const route = signal<Route>(parse(location.hash));

export function followAddress(): void {
  route.value = parse(location.hash);
  addEventListener('hashchange', () => (route.value = parse(location.hash)));
}

type Query = Readonly<Record<string, string | undefined>>;

/** The address of a view; slashes in an id stay readable. */
export function linkTo(project: string, view = 'home', id?: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const path = [project, ...(view === 'home' && id === undefined ? [] : [view]), ...(id === undefined ? [] : id.split('/'))].map(encodeURIComponent).join('/');
  return `#/${path}${given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`}`;
}

export const go = (address: string): void => void (location.hash = address);

/** Changes what stands in the address without a step in the history: for filters and what is typed. */
export function replaceQuery(query: Query): void {
  const { project, view, id } = route.value;
  history.replaceState(null, '', linkTo(project ?? '', view, id, query));
  route.value = parse(location.hash);
}
