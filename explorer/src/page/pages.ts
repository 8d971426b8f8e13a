// The pages, each loaded when it is first looked at.
import type { Component } from 'svelte';
import type { Place } from '../data/address';

type Loader = () => Promise<{ default: Component }>;

export const pages: Record<Exclude<Place['page'], 'home'>, Loader> = {
  map: () => import('./Map.svelte'),
  data: () => import('./Data.svelte'),
  query: () => import('./Query.svelte'),
  statements: () => import('./Statements.svelte'),
  events: () => import('./Events.svelte'),
  settings: () => import('./Settings.svelte'),
  feed: () => import('./Feed.svelte'),
  adviser: () => import('./Adviser.svelte'),
  transfer: () => import('./Transfer.svelte'),
  connect: () => import('./Connect.svelte'),
  nodes: () => import('./Nodes.svelte'),
};
