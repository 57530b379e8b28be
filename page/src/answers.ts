// Written by page/answers.mjs from the program's openapi.json. `make page` writes it anew.

export type Anchor = {
  text?: string;
  section?: string;
  number?: number;
};

export type Bar = {
  label?: string;
  range?: string;
  counts?: number[];
};

export type Fact = {
  name?: string;
  value: Value;
  note?: string;
};

export type Failure = {
  error: {
    code: string;
    message: string;
  };
};

export type Graph = {
  name?: Anchor;
  note?: string;
  threshold?: number;
  nodes?: GraphNode[];
  edges?: GraphEdge[];
};

export type GraphEdge = {
  a?: number;
  b?: number;
  resemblance?: number;
};

export type GraphNode = {
  document: ReportDocument;
  copies?: number;
};

export type Histogram = {
  title?: string;
  across?: string;
  up?: string;
  series?: string[];
  logarithmic?: boolean;
  bars?: Bar[];
};

export type ListItem = {
  documents?: ReportDocument[];
  facts?: Fact[];
  links?: Anchor[];
  members_name?: string;
  members?: ListMember[];
};

export type ListMember = {
  document: ReportDocument;
  facts?: Fact[];
};

export type OpenApi = {
  openapi: unknown;
};

export type PairRow = {
  same?: boolean;
  a?: Piece[];
  b?: Piece[];
};

export type Part = {
  name?: string;
  color: 'kept' | 'absent' | 'quarantined' | 'filtered' | 'identical' | 'lexical' | 'near' | 'contained' | 'undecided' | 'carried' | 'shingles';
  count?: number;
};

export type Piece = {
  mark: 'plain' | 'shared' | 'only' | 'moved' | 'label' | 'cut' | 'skipped';
  text?: string;
};

export type Plot = {
  title?: string;
  across?: string;
  up?: string;
  logarithmic?: boolean;
  series?: PlotSeries[];
};

export type PlotSeries = {
  name?: string;
  points?: [number, number][];
  threshold?: number;
};

export type Report = {
  format?: string;
  title?: string;
  output?: string;
  command?: string;
  started?: string;
  version?: string;
  folder?: string;
  warnings?: string[];
  sections?: Section[];
};

export type ReportDocument = {
  id?: string;
  file?: string;
  record?: number;
  words?: string;
};

export type Section = {
  name?: string;
  title?: string;
  lead?: string;
  numbers?: Fact[];
  parts?: Part[];
  tables?: Table[];
  histograms?: Histogram[];
  tiles?: Tile[];
  plots?: Plot[];
  graphs?: Graph[];
  list?: ListItem[];
  side_a?: string;
  side_b?: string;
  side_by_side?: ShownPair[];
};

export type ShownPair = {
  tag?: string;
  color: 'kept' | 'absent' | 'quarantined' | 'filtered' | 'identical' | 'lexical' | 'near' | 'contained' | 'undecided' | 'carried' | 'shingles';
  a: ReportDocument;
  b: ReportDocument;
  facts?: Fact[];
  rows?: PairRow[];
  more?: string;
};

export type Table = {
  columns?: string[];
  rows?: Value[][];
};

export type Tile = {
  name?: string;
  count?: number;
  note?: string;
  link?: Anchor;
};

export type Value = {
  unit: 'text' | 'code' | 'count' | 'percent' | 'share' | 'bytes' | 'seconds' | 'sentence';
  string?: string;
  number?: number;
  whole?: number;
  real?: number;
  threshold?: number;
};

/** The body of a POST, the parameters of a GET. */
export interface Requests {
  'GET /health': Record<string, never>;
  'GET /ready': Record<string, never>;
  'GET /about': Record<string, never>;
  'GET /openapi.json': Record<string, never>;
  'POST /query': {
    text?: string | null;
    id?: unknown;
    url?: string | null;
    html?: boolean;
    resemblance?: number | string | null;
    containment?: number | string | null;
    top?: number;
    passages?: boolean;
    min_tokens?: number | null;
    time_limit?: number | null;
    draw?: number | null;
    sketches?: boolean;
    max_group?: number;
  };
  'POST /add': {
    documents: {
      id: unknown;
      text: string;
      html?: boolean;
      url?: string;
      date?: string;
      fields?: unknown;
    }[];
  };
  'POST /delete': {
    ids: unknown;
  };
  'POST /group': {
    hits: unknown;
    access?: unknown;
    load?: unknown;
    id?: unknown;
    resemblance?: number | string;
    containment?: number | string | null;
    best?: string;
    rest?: 'demote' | 'skip';
    per_group?: number;
    per_host?: number;
    page?: number;
    sketches?: boolean;
    access_field?: string;
  };
  'POST /locate': {
    since?: string;
    max_group?: number;
    url: string;
  };
  'POST /lookup': {
    resemblance?: number | string;
    containment?: number | string | null;
    top?: number;
    sketches?: boolean;
    max_group?: number;
    name: string;
  };
  'POST /track': {
    url: string;
  };
  'POST /filter': {
    text: string;
    html?: boolean;
    resemblance?: number | string;
    containment?: number | string | null;
    min_tokens?: number;
    time_limit?: number | null;
    max_group?: number;
  };
  'POST /document': {
    id?: unknown;
    url?: string | null;
  };
  'GET /overview': Record<string, never>;
  'GET /clusters': {
    offset?: number;
    limit?: number;
    sort?: 'documents' | 'resemblance' | 'sources' | 'first';
    reverse?: boolean;
    min_documents?: number;
    max_documents?: number;
    source?: string;
    kind?: 'identical' | 'lexical' | 'near' | 'contained' | 'shingles';
    resemblance?: string;
    search?: string;
    words?: boolean;
  };
  'GET /clusters/{cluster}': {
    offset?: number;
    limit?: number;
    words?: boolean;
  };
  'GET /tiles': {
    limit?: number;
    by?: 'cluster' | 'source';
  };
  'GET /pair': {
    a: string;
    b: string;
  };
  'POST /compare': {
    a: string;
    b: string;
    html?: boolean;
  };
  'GET /record': {
    name: string;
  };
  'GET /lists': Record<string, never>;
  'GET /lists/{list}': {
    offset?: number;
    limit?: number;
    sort?: string;
    reverse?: boolean;
    search?: string;
  };
  'GET /versions': {
    offset?: number;
    limit?: number;
    search?: string;
    url?: string;
  };
  'GET /decisions': Record<string, never>;
  'POST /decisions': {
    decisions: {
      record: string;
      decision: 'restore' | 'remove' | 'none';
      judge?: string;
    }[];
  };
}

/** The JSON of status 200. */
export interface Answers {
  'GET /health': {
    status: string;
  };
  'GET /ready': {
    status: string;
  };
  'GET /about': {
    version: string;
    index: {
      index: string;
      settings: {
        analyzer: string;
        schemes: string[];
        resemblance: string;
        distance: number;
        texts: boolean;
      };
      documents: number;
      removed: number;
      deleted: number;
      segments: number;
      bytes: number;
      changes: number;
    } | null;
    run: {
      folder: string;
      verb: string;
      title: string;
      decisions: boolean;
    } | null;
    read_only: boolean;
    needs_token: boolean;
  };
  'GET /openapi.json': OpenApi;
  'POST /query': {
    hits: {
      id: unknown;
      url?: string;
      date?: string;
      fields?: unknown;
      survivor?: unknown;
      same: 'no' | 'tokens' | 'bytes';
      resemblance?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      containment?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      contains?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      exact: boolean;
      shared?: number | null;
      distance?: number | null;
      coordinate?: number | null;
      passages?: {
        begin: number;
        end: number;
        in_begin?: number | null;
        in_end?: number | null;
        tokens: number;
      }[];
      quoted?: number | null;
    }[];
    compared: number;
    skipped: number;
    hosts?: {
      host: string;
      documents: number;
      passages: number;
      quoted: number;
    }[];
    common?: {
      begin: number;
      end: number;
    }[];
    sure_tokens?: number | null;
    timed_out?: boolean;
  };
  'POST /add': {
    added: number;
    replaced: number;
    unchanged: number;
    repeated: number;
  };
  'POST /delete': {
    deleted: number;
    not_there: unknown;
  };
  'POST /group': {
    id?: unknown;
    groups: {
      best: unknown;
      members: {
        id: unknown;
        best?: boolean;
        action: 'show' | 'demote' | 'skip';
        unknown?: boolean;
        same?: 'no' | 'tokens' | 'bytes';
        resemblance?: {
          value: number | null;
          low: number | null;
          high: number | null;
        } | null;
        containment?: {
          value: number | null;
          low: number | null;
          high: number | null;
        } | null;
        contains?: {
          value: number | null;
          low: number | null;
          high: number | null;
        } | null;
        exact?: boolean;
        shared?: number | null;
        distance?: number | null;
        coordinate?: number | null;
      }[];
    }[];
    order: unknown;
  };
  'POST /locate': {
    url: string;
    status: 'here' | 'moved' | 'gone' | 'unknown';
    newest?: {
      id: unknown;
      url?: string;
      date?: string;
      fields?: unknown;
      survivor?: unknown;
    } | null;
    confidence?: number | null;
    since?: string;
    last_seen?: string;
    host_seen?: string;
    evidence: {
      from: string;
      from_date: string;
      to: {
        id: unknown;
        url?: string;
        date?: string;
        fields?: unknown;
        survivor?: unknown;
      };
      resemblance?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      containment?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      contains?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      exact: boolean;
      own: number;
      kept: number;
      share: number | null;
    }[];
    others: {
      from: string;
      from_date: string;
      to: {
        id: unknown;
        url?: string;
        date?: string;
        fields?: unknown;
        survivor?: unknown;
      };
      resemblance?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      containment?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      contains?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      exact: boolean;
      own: number;
      kept: number;
      share: number | null;
    }[];
  };
  'POST /lookup': {
    name: string;
    documents: {
      id: unknown;
      url?: string;
      date?: string;
      fields?: unknown;
      survivor?: unknown;
    }[];
    clusters: {
      documents: {
        id: unknown;
        url?: string;
        date?: string;
        fields?: unknown;
        survivor?: unknown;
      }[];
      whole: boolean;
    }[];
  };
  'POST /track': {
    url: string;
    part: number;
    versions: {
      date: string;
      id: unknown;
      hash: string;
      resemblance?: number | null;
      containment?: number | null;
      distance?: number | null;
      kind?: 'same' | 'small' | 'large' | 'broken' | 'back' | null;
    }[];
    moved_to?: string | null;
    moved_from?: string | null;
    born: boolean;
    gone: boolean;
    recrawl_days?: number | null;
  };
  'POST /filter': {
    verdict: 'match' | 'pass' | 'unknown';
    why?: 'known' | 'few_tokens' | 'no_signature' | 'common_keys' | 'time_limit' | 'unreadable';
    prototype?: unknown;
    prototype_url?: string;
    prototype_date?: string;
    prototype_fields?: unknown;
    same?: 'no' | 'tokens' | 'bytes';
    resemblance?: {
      value: number | null;
      low: number | null;
      high: number | null;
    } | null;
    containment?: {
      value: number | null;
      low: number | null;
      high: number | null;
    } | null;
    contains?: {
      value: number | null;
      low: number | null;
      high: number | null;
    } | null;
    exact?: boolean;
    shared?: number | null;
    distance?: number | null;
    coordinate?: number | null;
  };
  'POST /document': {
    id: unknown;
    url?: string;
    date?: string;
    fields?: unknown;
    survivor?: unknown;
    text?: string | null;
  };
  'GET /overview': Report;
  'GET /clusters': {
    total: number;
    documents: number;
    clusters: {
      cluster: number;
      documents: number;
      first: {
        id: string;
        file: string;
        record: number;
      };
      words: string | null;
      missing?: string;
      resemblance: number | null;
      kinds: {
        identical?: number;
        lexical?: number;
        shingles?: number;
        near?: number;
        contained?: number;
      };
      sources: number;
    }[];
  };
  'GET /clusters/{cluster}': {
    cluster: number;
    documents: number;
    members: {
      id: string;
      file: string;
      record: number;
      kind: 'identical' | 'lexical' | 'near' | 'contained' | 'shingles' | null;
      resemblance: number | null;
      containment: number | null;
      survivor?: {
        id: string;
        file: string;
        record: number;
      } | null;
      words: string | null;
      missing?: string;
      fate: string;
      decision: string | null;
    }[];
    edges: [number, number, number | null][];
  };
  'GET /tiles': {
    tiles: {
      name: string;
      documents: number;
      cluster: number | null;
    }[];
    rest: {
      clusters: number;
      documents: number;
    };
  };
  'GET /pair': ShownPair;
  'POST /compare': ShownPair;
  'GET /record': {
    id: string;
    file: string;
    record: number;
    fate: 'kept' | 'removed' | 'reference' | 'quarantined' | 'filtered' | 'clustered' | 'alone';
    reason?: string;
    stands_for?: number;
    notes?: string[];
    text: string | null;
    cut: boolean;
    missing?: string;
    kind?: 'identical' | 'lexical' | 'near' | 'contained';
    survivor_id?: string;
    survivor_file?: string;
    survivor_record?: number;
    resemblance?: number | null;
    interval?: {
      value: number | null;
      low: number | null;
      high: number | null;
    } | null;
    containment?: number | null;
    survivor_containment?: number | null;
    whole_resemblance?: number | null;
    representative?: {
      id: string;
      file: string;
      record: number;
    };
    documents?: number;
    identical?: {
      id: string;
      file: string;
      record: number;
    } | null;
    edges?: number;
    template_pairs?: number;
    nearest?: {
      id: string;
      file: string;
      record: number;
      kind?: 'identical' | 'lexical' | 'near' | 'contained' | null;
      resemblance?: number | null;
      containment?: number | null;
      distance?: number | null;
      interval?: {
        value: number | null;
        low: number | null;
        high: number | null;
      } | null;
      rest_resemblance?: number | null;
      template?: boolean;
    }[];
    lexical?: {
      id: string;
      file: string;
      record: number;
    } | null;
    shingles?: {
      id: string;
      file: string;
      record: number;
    } | null;
    near?: {
      id: string;
      file: string;
      record: number;
    } | null;
    contained?: {
      id: string;
      file: string;
      record: number;
    } | null;
  };
  'GET /lists': {
    lists: {
      name: string;
      rows: number;
      columns: {
        name: string;
        unit: string;
        help: string;
      }[];
    }[];
  };
  'GET /lists/{list}': {
    total: number;
    rows: unknown;
  };
  'GET /versions': {
    total: number;
    pages: {
      url: string;
      part: number;
      versions: {
        date: string;
        id: unknown;
        hash: string;
        resemblance?: number | null;
        containment?: number | null;
        distance?: number | null;
        kind?: 'same' | 'small' | 'large' | 'broken' | 'back' | null;
      }[];
      moved_to?: string | null;
      moved_from?: string | null;
      born: boolean;
      gone: boolean;
      recrawl_days?: number | null;
    }[];
  };
  'GET /decisions': {
    decisions: {
      record: string;
      id: string;
      file: string;
      number: number;
      decision: 'restore' | 'remove' | 'none';
      judge?: string;
      time: string;
    }[];
    notes?: string[];
  };
  'POST /decisions': {
    decisions: {
      record: string;
      id: string;
      file: string;
      number: number;
      decision: 'restore' | 'remove' | 'none';
      judge?: string;
      time: string;
    }[];
    notes?: string[];
  };
}
